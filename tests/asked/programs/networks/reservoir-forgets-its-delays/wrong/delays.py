"""A buffer of the last values of a signal."""

import jax.numpy as jnp


def empty(length, channels):
    return jnp.zeros((length, channels))


def push(buffer, value):
    """The newest value is in front."""
    buffer = jnp.roll(buffer, 1, axis=0)
    buffer.at[0].set(value)  # mistake
    return buffer


def products(buffer):
    flat = buffer.ravel()
    rows, columns = jnp.triu_indices(flat.shape[0])
    return flat[rows] * flat[columns]
