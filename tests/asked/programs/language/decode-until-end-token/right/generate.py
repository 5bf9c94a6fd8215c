"""Greedy decoding."""
import jax
import jax.numpy as jnp

import model


@jax.jit
def generate(params, token):
    tokens = jnp.full(20, model.END).at[0].set(token)

    def going(state):
        token, position, _ = state
        return (token != model.END) & (position < 20)

    def extend(state):
        token, position, tokens = state
        token = jnp.argmax(model.logits(params, token))
        return token, position + 1, tokens.at[position].set(token)

    return jax.lax.while_loop(going, extend, (token, 1, tokens))[2]
