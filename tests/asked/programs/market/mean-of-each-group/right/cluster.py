"""Lloyd's algorithm."""

import jax
import jax.numpy as jnp


def assign(rows, centres):
    distance = jnp.sum((rows[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    return jnp.argmin(distance, axis=1)


@jax.jit
def improve(rows, centres):
    labels = assign(rows, centres)
    moved = []
    for j in range(centres.shape[0]):
        weight = (labels == j).astype(rows.dtype)
        moved.append(weight @ rows / jnp.maximum(jnp.sum(weight), 1.0))
    return jnp.stack(moved)
