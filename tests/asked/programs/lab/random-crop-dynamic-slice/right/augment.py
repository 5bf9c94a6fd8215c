import jax
import jax.numpy as jnp


def random_flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


def random_crop(key, image, size):
    h, w, c = image.shape
    top_key, left_key = jax.random.split(key)
    top = jax.random.randint(top_key, (), 0, h - size + 1)
    left = jax.random.randint(left_key, (), 0, w - size + 1)
    return jax.lax.dynamic_slice(image, (top, left, 0), (size, size, c))


def augment(key, image, size=24):
    crop_key, flip_key = jax.random.split(key)
    return random_flip(flip_key, random_crop(crop_key, image, size))
