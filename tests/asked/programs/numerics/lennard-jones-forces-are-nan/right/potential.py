from typing import NamedTuple

import jax.numpy as jnp


class PairParams(NamedTuple):
    epsilon: float
    sigma: float
    cutoff: float


def pairwise_distances(pos):
    delta = pos[:, None, :] - pos[None, :, :]
    sq = jnp.sum(delta**2, axis=-1)
    same = jnp.eye(pos.shape[0], dtype=bool)
    return jnp.where(same, jnp.inf, jnp.sqrt(jnp.where(same, 1.0, sq)))


def pair_energy(r, params: PairParams):
    s6 = (params.sigma / r) ** 6
    return 4.0 * params.epsilon * (s6**2 - s6)


def total_energy(pos, params: PairParams):
    r = pairwise_distances(pos)
    within = r < params.cutoff
    energy = pair_energy(jnp.where(within, r, params.cutoff), params)
    return 0.5 * jnp.sum(jnp.where(within, energy, 0.0))
