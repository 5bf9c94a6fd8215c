"""Cutout and normalisation."""
import jax
import jax.numpy as jnp

PATCH = 3


def cutout(key, image):
    height, width = image.shape
    k_row, k_col = jax.random.split(key)
    top = jax.random.randint(k_row, (), 0, height - PATCH)
    left = jax.random.randint(k_col, (), 0, width - PATCH)
    return jax.lax.dynamic_update_slice(image, jnp.zeros((PATCH, PATCH)), (top, left))


def normalise(image):
    return (image - jnp.mean(image)) / (jnp.std(image) + 1e-3)
