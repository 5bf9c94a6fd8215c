from functools import partial

import jax
import jax.numpy as jnp


def laplacian(u, dx):
    padded = jnp.pad(u, 1, mode="edge")
    total = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]
    return (total - 4.0 * u) / dx**2


def apply_boundary(u, plate):
    return u.at[0, :].set(plate.hot_edge)


@partial(jax.jit, static_argnames=("plate", "n_steps"))
def run(u, dt, plate, n_steps):
    def step(u, _):
        u = u + dt * plate.diffusivity * laplacian(u, plate.dx)
        u = apply_boundary(u, plate)
        return u, jnp.mean(u)

    return jax.lax.scan(step, apply_boundary(u, plate), None, length=n_steps)
