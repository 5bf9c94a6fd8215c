import jax.numpy as jnp

from geometry import pair_distances


def total_energy(pos, charges, softening=0.3, trap=0.05):
    dist, off_diag = pair_distances(pos)
    qq = charges[:, None] * charges[None, :]
    pair = jnp.where(off_diag, qq / (dist + softening), 0.0)
    return 0.5 * jnp.sum(pair) + trap * jnp.sum(pos**2)
