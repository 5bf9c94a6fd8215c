import jax
import jax.numpy as jnp


def generate(next_token, params, key, prompt, max_len):
    tokens = jnp.asarray(prompt, jnp.int32)
    keys = jax.random.split(key, max_len - len(prompt))
    for step_key in keys:
        token = next_token(params, step_key, tokens)  # mistake
        tokens = jnp.concatenate([tokens, token[None]])  # mistake
    return tokens
