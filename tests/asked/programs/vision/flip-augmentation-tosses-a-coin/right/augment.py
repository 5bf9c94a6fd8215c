"""Augmentations for small grey images."""
import jax
import jax.numpy as jnp


def random_flip(key, image):
    coin = jax.random.bernoulli(key)
    return jnp.where(coin, image[:, ::-1], image)


def random_brightness(key, image, strength=0.2):
    shift = jax.random.uniform(key, (), minval=-strength, maxval=strength)
    return jnp.clip(image + shift, 0.0, 1.0)


def augment(key, image):
    key_flip, key_light = jax.random.split(key)
    return random_brightness(key_light, random_flip(key_flip, image))
