"""A model of one hidden layer."""
import jax
import jax.numpy as jnp


def init(key, inputs, width):
    key_in, key_out = jax.random.split(key)
    return {
        "in": jax.random.normal(key_in, (inputs, width)) / inputs**0.5,
        "out": jax.random.normal(key_out, (width,)) / width**0.5,
    }


def forward(params, x):
    return jnp.tanh(x @ params["in"]) @ params["out"]
