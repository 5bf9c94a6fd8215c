"""Train a linear classifier of stripes on augmented images."""
import jax
import jax.numpy as jnp
import numpy as np

from augment import augment


def stripes(rng, n, size=8):
    labels = rng.integers(0, 2, n)
    images = np.zeros((n, size, size), np.float32)
    for image, label in zip(images, labels):
        position = rng.integers(0, size)
        if label:
            image[position] = 1.0
        else:
            image[:, position] = 1.0
    return images, labels


@jax.jit
def train_step(params, key, images, labels):
    keys = jax.random.split(key, images.shape[0])
    images = jax.vmap(augment)(keys, images)

    def loss_fn(params):
        w1, w2 = params
        hidden = jax.nn.relu(images.reshape(images.shape[0], -1) @ w1)
        logits = hidden @ w2
        return jnp.mean(jax.nn.softplus(jnp.where(labels == 1, -logits, logits)))

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss


def main():
    images, labels = stripes(np.random.default_rng(0), 64)
    k1, k2, key = jax.random.split(jax.random.key(0), 3)
    params = 0.2 * jax.random.normal(k1, (64, 16)), 0.2 * jax.random.normal(k2, (16,))
    for step in range(30):
        params, loss = train_step(params, jax.random.fold_in(key, step), images, labels)
    print("finite loss", bool(jnp.isfinite(loss)))


if __name__ == "__main__":
    main()
