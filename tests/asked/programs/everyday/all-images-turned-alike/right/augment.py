"""Random changes of one image."""
import jax
import jax.numpy as jnp


def jitter(key, image):
    shift_key, noise_key = jax.random.split(key)
    shift = jax.random.randint(shift_key, (), -2, 3)
    return jnp.roll(image, shift, axis=1) + 0.1 * jax.random.normal(noise_key, image.shape)
