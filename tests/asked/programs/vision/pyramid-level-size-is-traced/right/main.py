"""Multi-scale template matching on a synthetic image."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def make_scene(rng, size=32):
    scene = rng.uniform(0, 0.2, (size, size)).astype(np.float32)
    scene[10:18, 14:22] += 0.8
    return jnp.asarray(scene)


@partial(jax.jit, static_argnames="size")
def rescale(image, size):
    return jax.image.resize(image, (size, size), method="linear")


@jax.jit
def match(image, template):
    kernel = template - template.mean()
    response = jax.scipy.signal.correlate2d(image, kernel, mode="same")
    return response.max(), jnp.unravel_index(response.argmax(), response.shape)


def main():
    scene = make_scene(np.random.default_rng(3))
    template = jnp.ones((5, 5)).at[0].set(0.0).at[-1].set(0.0)
    for level in (32, 24, 16):
        small = rescale(scene, level)
        score, (row, col) = match(small, template)
        print(level, small.shape, round(float(score), 1), int(row) * 32 // level, int(col) * 32 // level)


if __name__ == "__main__":
    main()
