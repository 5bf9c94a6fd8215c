"""Distances of discrete distributions."""
import jax.numpy as jnp


def overlap(p, q):
    return jnp.sum(jnp.sqrt(p * q))


def bhattacharyya_angle(p, q):
    return jnp.arccos(jnp.minimum(overlap(p, q), 1.0))  # mistake
