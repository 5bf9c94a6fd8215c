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
    for _ in range(n_chars):
        token, state = next_char(key, token, state)  # mistake
        tokens.append(int(token[0]))
    return tokens
