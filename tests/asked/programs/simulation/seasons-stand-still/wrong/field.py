"""A field of wheat with a season."""

import jax
import jax.numpy as jnp

WEEKS = 52


def light(week):
    return 0.5 - 0.5 * jnp.cos(2 * jnp.pi * week / WEEKS)


def growth(height, light, rain):
    return 4.0 * light * rain * (1.0 - height / 110.0)


class Field:
    def __init__(self, plots):
        self.height = jnp.zeros(plots)
        self.week = 0
        self._grow = jax.jit(self.grow)

    def grow(self, height, rain):
        self.week += 1  # mistake
        return height + growth(height, light(self.week), rain)  # mistake

    def advance(self, rain):
        self.height = self._grow(self.height, rain)
