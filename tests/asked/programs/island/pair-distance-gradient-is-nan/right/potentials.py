from dataclasses import dataclass

import jax.numpy as jnp


def pair_distances(positions):
    delta = positions[:, None] - positions[None, :]
    sq = jnp.sum(delta**2, axis=-1)
    off_diagonal = ~jnp.eye(positions.shape[0], dtype=bool)
    safe_sq = jnp.where(off_diagonal, sq, 1.0)
    return jnp.where(off_diagonal, jnp.sqrt(safe_sq), 0.0), off_diagonal


@dataclass(frozen=True)
class MorsePotential:
    depth: float
    width: float
    r0: float

    def __call__(self, positions):
        r, pairs = pair_distances(positions)
        stretch = 1.0 - jnp.exp(-self.width * (r - self.r0))
        energy = self.depth * (stretch**2 - 1.0)
        return 0.5 * jnp.sum(jnp.where(pairs, energy, 0.0))
