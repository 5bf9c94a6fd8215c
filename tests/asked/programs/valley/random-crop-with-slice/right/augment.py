from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class AugmentConfig:
    pad: int
    crop: int
    jitter: float


def random_crop(key, image, cfg: AugmentConfig):
    p = cfg.pad
    padded = jnp.pad(image, ((p, p), (p, p), (0, 0)), mode="reflect")
    top, left = jax.random.randint(key, (2,), 0, 2 * p + 1)
    size = (cfg.crop, cfg.crop, image.shape[-1])
    return jax.lax.dynamic_slice(padded, (top, left, 0), size)


def random_flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


def augment(key, image, cfg: AugmentConfig):
    crop_key, flip_key, jitter_key = jax.random.split(key, 3)
    image = random_crop(crop_key, image, cfg)
    image = random_flip(flip_key, image)
    gain = 1.0 + cfg.jitter * jax.random.normal(jitter_key)
    return gain * image


def augment_batch(key, images, cfg: AugmentConfig):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(lambda k, im: augment(k, im, cfg))(keys, images)
