from typing import NamedTuple

import jax.numpy as jnp


class LJParams(NamedTuple):
    epsilon: float
    sigma: float
    cutoff: float


def displacements(positions, box):
    """Minimum image vectors between all pairs, shape (n, n, 3)."""
    delta = positions[:, None, :] - positions[None, :, :]
    return delta - box * jnp.round(delta / box)


def pair_distances(positions, box):
    delta = displacements(positions, box)
    itself = jnp.eye(positions.shape[0], dtype=bool)
    squared = jnp.where(itself, 1.0, jnp.sum(delta**2, axis=-1))
    return jnp.where(itself, jnp.inf, jnp.sqrt(squared))


def total_energy(positions, params: LJParams, box):
    r = pair_distances(positions, box)
    inside = r < params.cutoff
    safe_r = jnp.where(inside, r, params.cutoff)
    sr6 = (params.sigma / safe_r) ** 6
    pair = 4.0 * params.epsilon * (sr6**2 - sr6)
    return 0.5 * jnp.sum(jnp.where(inside, pair, 0.0))
