"""Mix pairs of images."""
import jax
import jax.numpy as jnp


def corrupt(key, images):
    return images + 0.1 * jax.random.normal(key, images.shape)


def mixup(key, images, labels):
    noisy = corrupt(key, images)
    other = corrupt(key, images)  # mistake
    weight = jax.random.uniform(key, (images.shape[0], 1))  # mistake
    order = jax.random.permutation(key, images.shape[0])  # mistake
    mixed = weight * noisy + (1 - weight) * other[order]
    return mixed, jnp.max(jnp.abs(noisy - other)), weight[:, 0] * labels + (1 - weight[:, 0]) * labels[order]
