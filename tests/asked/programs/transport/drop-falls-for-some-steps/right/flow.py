"""The air around a street, and drops in it."""

import jax.numpy as jnp

HEIGHT, WIDTH = 2.0, 0.5


def wind(position):
    z = position[2]
    return jnp.array([WIDTH * 0.5 * (1.0 - jnp.cos(z * jnp.pi / HEIGHT)), 0.0, 0.02])


def acceleration(position, velocity, drag):
    gravity = jnp.array([0.0, 0.0, -9.81])
    return gravity + drag * (wind(position) - velocity)
