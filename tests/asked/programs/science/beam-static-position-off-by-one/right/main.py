"""Deflection of a simply supported beam by modal superposition."""
from functools import partial

import jax
import jax.numpy as jnp


class Beam:
    def __init__(self, length, stiffness, n_points=101):
        self.length = length
        self.stiffness = stiffness
        self.x = jnp.linspace(0.0, length, n_points)

    def mode(self, order):
        return jnp.sin(order * jnp.pi * self.x / self.length)

    @partial(jax.jit, static_argnums=(0, 2))
    def deflection(self, load, n_modes):
        """Static deflection under a load density sampled on the grid."""
        total = jnp.zeros_like(self.x)
        for order in range(1, n_modes + 1):
            shape = self.mode(order)
            force = 2.0 / self.length * jnp.trapezoid(load * shape, self.x)
            total += force * shape / (self.stiffness * (order * jnp.pi / self.length) ** 4)
        return total

    @partial(jax.jit, static_argnums=0)
    def bending_moment(self, deflection):
        dx = self.x[1] - self.x[0]
        curvature = jnp.gradient(jnp.gradient(deflection, dx), dx)
        return -self.stiffness * curvature


def point_load(x, position, force, width=0.1):
    profile = jnp.exp(-0.5 * ((x - position) / width) ** 2)
    return force * profile / jnp.trapezoid(profile, x)


def main():
    beam = Beam(length=4.0, stiffness=2.0e3)
    uniform = jnp.full_like(beam.x, 150.0)
    centre = point_load(beam.x, 2.0, 500.0)
    for name, load in (("uniform", uniform), ("point", centre)):
        w = beam.deflection(load, 9)
        moment = beam.bending_moment(w)
        print(f"{name:8s} sag {float(w.max()):.3f} m, moment {float(moment[50]):.0f} N m")


if __name__ == "__main__":
    main()
