"""Draw characters from counts of pairs."""
import jax
import jax.numpy as jnp


def transition(text, alphabet):
    index = {c: i for i, c in enumerate(alphabet)}
    counts = jnp.zeros((len(alphabet), len(alphabet)))
    for a, b in zip(text, text[1:]):
        counts = counts.at[index[a], index[b]].add(1.0)
    return counts / jnp.maximum(counts.sum(-1, keepdims=True), 1.0)


@jax.jit
def chain(key, probabilities, start):
    def step(state, key):
        state = jax.random.categorical(key, probabilities[state])  # mistake
        return state, state

    return jax.lax.scan(step, start, jax.random.split(key, 60))[1]
