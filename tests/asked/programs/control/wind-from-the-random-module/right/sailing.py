"""A boat that drifts."""
import random

import jax
import jax.numpy as jnp


class Boat:
    def __init__(self, seed):
        random.seed(seed)

    def wind(self, key):
        return jax.random.normal(key)

    def step(self, position, rudder, key):
        return position + jnp.array([0.5, 0.2 * self.wind(key) + 0.1 * rudder])
