import jax
import jax.numpy as jnp

from char_model import HIDDEN


def sample_text(apply, params, key, n_chars, first=8, temperature=0.9):
    @jax.jit
    def next_char(key, token, state):
        logits, state = apply(params, token, state)
        return jax.random.categorical(key, logits / temperature), state

    token = jnp.array([first])
    state = jnp.zeros((1, HIDDEN))
    tokens = [first]
    for char_key in jax.random.split(key, n_chars):
        token, state = next_char(char_key, token, state)
        tokens.append(int(token[0]))
    return tokens
