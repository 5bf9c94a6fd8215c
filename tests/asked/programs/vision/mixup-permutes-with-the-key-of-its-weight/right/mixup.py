"""Mix pairs of images."""
import jax
import jax.numpy as jnp


def corrupt(key, images):
    return images + 0.1 * jax.random.normal(key, images.shape)


def mixup(key, images, labels):
    k_noisy, k_other, k_weight, k_order = jax.random.split(key, 4)
    noisy = corrupt(k_noisy, images)
    other = corrupt(k_other, images)
    weight = jax.random.uniform(k_weight, (images.shape[0], 1))
    order = jax.random.permutation(k_order, images.shape[0])
    mixed = weight * noisy + (1 - weight) * other[order]
    return mixed, jnp.max(jnp.abs(noisy - other)), weight[:, 0] * labels + (1 - weight[:, 0]) * labels[order]
