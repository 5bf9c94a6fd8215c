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
        members = rows[labels == j]  # mistake
        moved.append(jnp.mean(members, axis=0))
    return jnp.stack(moved)
