import jax
import jax.numpy as jnp
import numpy as np


def generate(next_token, params, key, prompt, max_len):
    tokens = jnp.asarray(np.pad(prompt, (0, max_len - len(prompt))), jnp.int32)
    keys = jax.random.split(key, max_len - len(prompt))
    for length, step_key in enumerate(keys, start=len(prompt)):
        token = next_token(params, step_key, tokens, length)
        tokens = tokens.at[length].set(token)
    return tokens
