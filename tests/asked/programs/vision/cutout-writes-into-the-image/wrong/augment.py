"""Cutout and normalisation."""
import jax
import jax.numpy as jnp

PATCH = 3


def cutout(key, image):
    height, width = image.shape
    k_row, k_col = jax.random.split(key)
    top = jax.random.randint(k_row, (), 0, height - PATCH)
    left = jax.random.randint(k_col, (), 0, width - PATCH)
    for row in range(PATCH):
        for col in range(PATCH):
            image[top + row, left + col] = 0.0  # mistake
    return image


def normalise(image):
    return (image - jnp.mean(image)) / (jnp.std(image) + 1e-3)
