import jax
import jax.numpy as jnp


def squared_distances(points, centres):
    return jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)


@jax.jit
def one_round(points, centres):
    labels = jnp.argmin(squared_distances(points, centres), axis=1)
    moved = []
    for k in range(centres.shape[0]):
        members = points[labels == k]  # mistake
        moved.append(members.mean(axis=0))
    return jnp.stack(moved)


def fit(points, centres, n_rounds):
    for _ in range(n_rounds):
        centres = one_round(points, centres)
    spread = squared_distances(points, centres).min(axis=1).mean()
    return centres, spread
