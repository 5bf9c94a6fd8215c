"""Attention that can be looked at."""
import jax
import jax.numpy as jnp


class Attention:
    def __init__(self, width):
        self.width = width
        self.last_map = None

    def init(self, key):
        return 0.5 * jax.random.normal(key, (2, self.width, self.width))

    def __call__(self, params, x):
        query, key = x @ params[0], x @ params[1]
        weights = jax.nn.softmax(query @ key.T / jnp.sqrt(self.width), axis=-1)
        return weights @ x, weights
