"""Image augmentation on the device."""
import jax
import jax.numpy as jnp

CROP = 6


def random_flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


def random_crop(key, image, size=CROP):
    height, width, channels = image.shape
    if height < size or width < size:
        raise ValueError(f"cannot crop {size} from {image.shape}")
    top, left = jax.random.randint(key, (2,), 0, height - size + 1)
    return jax.lax.dynamic_slice(image, (top, left, 0), (size, size, channels))


def center_crop(image, size=CROP):
    top = (image.shape[0] - size) // 2
    left = (image.shape[1] - size) // 2
    return image[top : top + size, left : left + size]


def augment_one(key, image):
    crop_key, flip_key = jax.random.split(key)
    return random_flip(flip_key, random_crop(crop_key, image))


def augment_batch(key, images):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(augment_one)(keys, images)
