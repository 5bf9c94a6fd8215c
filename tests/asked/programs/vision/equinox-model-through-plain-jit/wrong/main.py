"""Score the patches of an image."""
import equinox as eqx
import jax
import jax.numpy as jnp

from nets import PatchScorer


def patches(image, size):
    rows, cols = image.shape
    blocks = image.reshape(rows // size, size, cols // size, size)
    return blocks.transpose(0, 2, 1, 3).reshape(-1, size, size)


@jax.jit  # mistake
def score(model, image):  # mistake
    return jax.vmap(model)(patches(image, 4))


def main():
    model = PatchScorer(4, jax.random.key(0))
    image = jnp.linspace(0.0, 1.0, 256).reshape(16, 16)
    scores = score(model, image)  # mistake
    print(scores.shape, bool(jnp.all(jnp.isfinite(scores))))


if __name__ == "__main__":
    main()
