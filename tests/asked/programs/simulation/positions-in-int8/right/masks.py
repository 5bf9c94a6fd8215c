"""Masks of padded sequences, stored in bytes to save memory."""
import jax.numpy as jnp


def mask_of(lengths, size):
    return (jnp.arange(size) < lengths[:, None]).astype(jnp.int8)


def positions(mask):
    return jnp.cumsum(mask, axis=1, dtype=jnp.int32) - 1
