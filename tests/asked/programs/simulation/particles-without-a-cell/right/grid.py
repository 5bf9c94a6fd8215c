"""A grid of cells on the unit interval."""
import jax.numpy as jnp


def cell_of(positions, cells):
    """The cell of each particle; those outside have none."""
    cell = jnp.floor(positions * cells).astype(jnp.int32)
    inside = (positions >= 0.0) & (positions < 1.0)
    return jnp.where(inside, cell, cells)


def deposit(positions, masses, cells):
    cell = cell_of(positions, cells)
    return jnp.zeros(cells).at[cell].add(masses, mode="drop")
