"""Rank candidate parameters by their likelihood."""
import jax
import jax.numpy as jnp

from likelihood import log_likelihood

score_all = jax.vmap(log_likelihood, in_axes=(0, None))


@jax.jit
def best(candidates, data):
    scores = score_all(candidates, data)
    return candidates[jnp.argmax(scores)]


if __name__ == "__main__":
    data = 1.5 + jax.random.normal(jax.random.key(0), (300,))
    candidates = jnp.stack([jnp.linspace(0.0, 3.0, 31), jnp.zeros(31)], axis=1)
    print(best(candidates, data).shape)
