"""Prepare pictures for a classifier: brighten, add contrast, normalise."""

import jax
import jax.numpy as jnp

HEIGHT = WIDTH = 16


def picture(key, level):
    """A bright square on a darker ground."""
    noise = jax.random.randint(key, (HEIGHT, WIDTH, 3), 0, 20)
    square = jnp.zeros((HEIGHT, WIDTH, 1), jnp.int32).at[4:12, 4:12].set(60)
    return (level + square + noise).astype(jnp.uint8)


def brighten(image, percent):
    wide = image.astype(jnp.int32)
    return jnp.clip(wide * percent // 100, 0, 255).astype(jnp.uint8)


def contrast(image, amount=1.2):
    values = image.astype(jnp.float32)
    mean = values.mean(axis=(0, 1), keepdims=True)
    return jnp.clip(mean + amount * (values - mean), 0.0, 255.0)


def normalise(image):
    return (image - image.mean()) / (image.std() + 1e-6)


@jax.jit
def prepare(images):
    brighter = jax.vmap(lambda image: brighten(image, 150))(images)
    return brighter, jax.vmap(lambda image: normalise(contrast(image)))(brighter)


def square_is_brighter(images):
    inside = images[:, 6:10, 6:10].mean(axis=(1, 2, 3))
    outside = images[:, :3].mean(axis=(1, 2, 3))
    return bool((inside > outside).all())


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    images = jnp.stack([picture(key, level) for key, level in zip(keys, (40, 80, 120))])
    brighter, ready = prepare(images)
    print("pictures", ready.shape)
    print("brighter than before:", float(brighter.mean()) > float(images.mean()))
    print("the square stands out:", square_is_brighter(ready))


if __name__ == "__main__":
    main()
