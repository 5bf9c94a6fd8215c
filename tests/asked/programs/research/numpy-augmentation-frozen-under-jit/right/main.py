import jax
import jax.numpy as jnp
import numpy as np
import optax

from augment import random_crop


def init_params(key, num_classes=3):
    conv_key, dense_key = jax.random.split(key)
    return {
        "conv": 0.2 * jax.random.normal(conv_key, (3, 3, 1, 8)),
        "dense": 0.1 * jax.random.normal(dense_key, (8, num_classes)),
        "bias": jnp.zeros(num_classes),
    }


def forward(params, images):
    dims = ("NHWC", "HWIO", "NHWC")
    x = jax.lax.conv_general_dilated(images, params["conv"], (1, 1), "SAME", dimension_numbers=dims)
    return jax.nn.relu(x).mean(axis=(1, 2)) @ params["dense"] + params["bias"]


tx = optax.adam(1e-2)


@jax.jit
def train_step(params, opt_state, images, labels, key):
    images, offsets = random_crop(images, key)

    def loss_fn(p):
        logits = forward(p, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss, offsets


def gratings(rng, n):
    labels = rng.integers(0, 3, n)
    grid = np.indices((8, 8)).astype(np.float32)
    waves = np.stack([np.sin(grid[0] * 1.5), np.sin(grid[1] * 1.5), np.sin((grid[0] + grid[1]) * 1.1)])
    return (waves[labels] + 0.3 * rng.normal(size=(n, 8, 8)))[..., None].astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    init_key, augment_key = jax.random.split(jax.random.key(0))
    params = init_params(init_key)
    opt_state = tx.init(params)
    seen = set()
    for step in range(30):
        images, labels = gratings(rng, 32)
        params, opt_state, loss, offsets = train_step(
            params, opt_state, images, labels, jax.random.fold_in(augment_key, step)
        )
        seen.add(np.asarray(offsets).tobytes())
        if step % 10 == 9:
            print(f"step {step + 1} loss {loss:.4f} first crop {offsets[0].tolist()}")
    print("different sets of crops in 30 steps:", len(seen))


if __name__ == "__main__":
    main()
