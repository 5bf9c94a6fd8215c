import jax.numpy as jnp


def laplacian(u):
    padded = jnp.pad(u, 1, mode="edge")
    return (
        padded[:-2, 1:-1]
        + padded[2:, 1:-1]
        + padded[1:-1, :-2]
        + padded[1:-1, 2:]
        - 4.0 * u
    )
