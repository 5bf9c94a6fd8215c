"""A tagger with two layers."""

import jax
import jax.numpy as jnp


def layer(key, inputs, outputs):
    return {"kernel": jax.random.normal(key, (inputs, outputs)) / jnp.sqrt(inputs), "bias": jnp.zeros(outputs)}


def create(key):
    k_hidden, k_output = jax.random.split(key)
    return {"hidden": layer(k_hidden, 6, 16), "output": layer(k_output, 16, 4)}


@jax.jit
def tag(params, words):
    hidden = jnp.tanh(words @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    logits = hidden @ params["output"]["kernel"] + params["output"]["bias"]
    return jnp.argmax(logits, axis=-1)
