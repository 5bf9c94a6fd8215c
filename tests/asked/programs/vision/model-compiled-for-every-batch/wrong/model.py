"""A frozen feature extractor."""
import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (m, n)) / jnp.sqrt(m) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def apply(params, x):
    for weight in params:
        x = jnp.tanh(x @ weight)
    return x
