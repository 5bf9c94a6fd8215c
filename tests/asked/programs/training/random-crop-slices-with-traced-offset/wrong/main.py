"""Texture classifier trained on random crops."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from augment import CROP, augment_batch, center_crop

CLASSES = 3
optimizer = optax.adam(1e-2)


def logits_fn(params, images):
    flat = images.reshape((images.shape[0], -1))
    return jax.nn.relu(flat @ params["w1"]) @ params["w2"]


@jax.jit
def train_step(params, opt_state, key, images, labels):
    crops = augment_batch(key, images)

    def loss_fn(p):
        losses = optax.softmax_cross_entropy_with_integer_labels(logits_fn(p, crops), labels)
        return losses.mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def textures(rng, n):
    labels = rng.integers(0, CLASSES, n)
    rows = np.arange(8)[None, :, None, None]
    waves = np.sin(rows * (labels[:, None, None, None] + 1))
    return (waves + 0.3 * rng.normal(size=(n, 8, 8, 1))).astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    params = {
        "w1": jnp.asarray(rng.normal(size=(CROP * CROP, 24)) * 0.2, jnp.float32),
        "w2": jnp.asarray(rng.normal(size=(24, CLASSES)) * 0.2, jnp.float32),
    }
    opt_state = optimizer.init(params)
    key = jax.random.PRNGKey(0)
    for step in range(40):
        key, sub = jax.random.split(key)
        params, opt_state, loss = train_step(params, opt_state, sub, *textures(rng, 32))
    images, labels = textures(rng, 64)
    crops = np.stack([center_crop(image) for image in images])
    accuracy = (logits_fn(params, crops).argmax(-1) == labels).mean()
    print(f"loss {loss:.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
