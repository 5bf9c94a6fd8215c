"""Draw boxes on a saliency map."""
import jax
import jax.numpy as jnp
import numpy as np


def score(image):
    centre = jnp.exp(-((jnp.arange(16) - 8.0) ** 2) / 10.0)
    return jnp.sum(image * centre[:, None] * centre)


@jax.jit
def saliency(image):
    return jnp.abs(jax.grad(score)(image))


def draw_box(picture, top, left, size):
    picture[top, left : left + size] = picture.max()
    picture[top + size - 1, left : left + size] = picture.max()
    picture[top : top + size, left] = picture.max()
    picture[top : top + size, left + size - 1] = picture.max()
    return picture


def main():
    image = jax.random.uniform(jax.random.key(0), (16, 16))
    picture = np.array(saliency(image))
    row, col = np.unravel_index(picture.argmax(), picture.shape)
    picture = draw_box(picture, max(row - 2, 0), max(col - 2, 0), 5)
    print(picture.shape, int((picture == picture.max()).sum()) >= 12)


if __name__ == "__main__":
    main()
