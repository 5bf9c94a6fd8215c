from functools import partial

import jax
import jax.numpy as jnp

from gru_lm import gru_step


@partial(jax.jit, static_argnames=("config", "num_tokens"))
def generate(params, prompt, key, *, config, num_tokens: int):
    def read(state, token):
        return gru_step(params, state, token), None

    def write(state, step_key):
        logits = state @ params["out"] / config["temperature"]
        token = jax.random.categorical(step_key, logits)
        return gru_step(params, state, token), token

    state, _ = jax.lax.scan(read, jnp.zeros(config["hidden"]), prompt)
    _, tokens = jax.lax.scan(write, state, jax.random.split(key, num_tokens))
    return tokens
