import jax.numpy as jnp


def pair_distances(pos):
    disp = pos[:, None, :] - pos[None, :, :]
    r2 = jnp.sum(disp**2, axis=-1)
    off_diag = ~jnp.eye(pos.shape[0], dtype=bool)
    dist = jnp.where(off_diag, jnp.sqrt(r2), 0.0)  # mistake
    return dist, off_diag
