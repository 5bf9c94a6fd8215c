"""Greedy decoding."""
import jax
import jax.numpy as jnp

import model


@jax.jit
def generate(params, token):
    tokens = jnp.full(20, model.END).at[0].set(token)
    position = 1
    while token != model.END and position < 20:  # mistake
        token = jnp.argmax(model.logits(params, token))
        tokens = tokens.at[position].set(token)
        position += 1
    return tokens
