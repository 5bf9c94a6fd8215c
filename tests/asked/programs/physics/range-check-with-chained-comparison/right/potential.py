"""A potential with a switching function."""
import jax.numpy as jnp

INNER, OUTER = 1.0, 1.5


def smooth(r):
    t = (r - INNER) / (OUTER - INNER)
    return 1.0 - t * t * (3.0 - 2.0 * t)


def pair_energy(r):
    energy = (1.0 / r) ** 12 - (1.0 / r) ** 6
    switched = jnp.where((INNER < r) & (r < OUTER), energy * smooth(r), energy)
    return jnp.where(r >= OUTER, 0.0, switched)
