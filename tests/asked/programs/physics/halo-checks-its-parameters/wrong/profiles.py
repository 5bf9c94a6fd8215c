"""Profiles of mass of a galaxy."""

import equinox as eqx
import jax.numpy as jnp

G = 4.3e-6  # kpc (km/s)^2 per solar mass


class Halo(eqx.Module):
    mass: float
    radius: float

    def __check_init__(self):
        if self.mass <= 0 or self.radius <= 0:  # mistake
            raise ValueError("mass and radius are positive")

    def enclosed(self, r):
        x = r / self.radius
        return self.mass * (jnp.log1p(x) - x / (1 + x))

    def circular_velocity(self, r):
        return jnp.sqrt(G * self.enclosed(r) / r)


class Disk(eqx.Module):
    mass: float
    scale: float

    def circular_velocity(self, r):
        y = r / self.scale
        return jnp.sqrt(G * self.mass * y**2 / (self.scale * (1 + y**2) ** 1.5))
