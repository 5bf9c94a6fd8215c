"""A particle that is pushed around by the water."""

import jax
import jax.numpy as jnp
from jax import lax


class Particle:
    dt = 0.01

    def __init__(self, key, drag):
        self.key = key
        self.drag = drag

    def kick(self, position, _):
        self.key, key = jax.random.split(self.key)  # mistake
        size = jnp.sqrt(2.0 * self.dt / self.drag)
        return position + size * jax.random.normal(key, position.shape), position

    def run(self, start, steps):
        """Positions of a track."""
        last, track = lax.scan(self.kick, start, None, length=steps)
        return jnp.concatenate([track, last[None]])
