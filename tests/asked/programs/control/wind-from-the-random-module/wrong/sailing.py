"""A boat that drifts."""
import random

import jax
import jax.numpy as jnp


class Boat:
    def __init__(self, seed):
        random.seed(seed)

    def wind(self):
        return random.gauss(0.0, 1.0)  # mistake

    def step(self, position, rudder):
        return position + jnp.array([0.5, 0.2 * self.wind() + 0.1 * rudder])
