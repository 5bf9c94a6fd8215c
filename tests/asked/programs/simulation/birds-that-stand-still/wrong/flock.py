"""Energy of a flock: birds like to fly in the direction of their neighbours."""

import jax
import jax.numpy as jnp

REACH = 1.5


def direction(velocity):
    speed = jnp.linalg.norm(velocity)  # mistake
    return jnp.where(speed > 0, velocity / speed, 0.0)  # mistake


def closeness(a, b):
    return jnp.exp(-jnp.sum((a - b) ** 2) / REACH**2)


def pair_energy(position_a, position_b, velocity_a, velocity_b):
    agreement = jnp.dot(direction(velocity_a), direction(velocity_b))
    return -closeness(position_a, position_b) * agreement


def energy(velocities, positions):
    others = jax.vmap(pair_energy, in_axes=(None, 0, None, 0))
    pairs = jax.vmap(others, in_axes=(0, None, 0, None))(positions, positions, velocities, velocities)
    return 0.5 * jnp.sum(pairs) + 0.05 * jnp.sum(velocities**2)
