import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from augment import augment


def classifier(images):
    net = hk.Sequential([
        hk.Conv2D(8, 3, stride=2), jax.nn.relu,
        hk.Conv2D(16, 3, stride=2), jax.nn.relu,
        hk.Flatten(), hk.Linear(4),
    ])
    return net(images)


net = hk.without_apply_rng(hk.transform(classifier))
opt = optax.adamw(2e-3, weight_decay=1e-4)


def loss_fn(params, images, labels):
    logits = net.apply(params, images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def update(params, opt_state, key, images, labels):
    keys = jax.random.split(key, images.shape[0])
    images = jax.vmap(augment)(keys, images)
    loss, grads = jax.value_and_grad(loss_fn)(params, images, labels)
    updates, opt_state = opt.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, size=256)
    images = rng.normal(size=(256, 32, 32, 3)) * 0.3 + labels[:, None, None, None] * 0.5
    images = images.astype(np.float32)
    init_key, key = jax.random.split(jax.random.key(1))
    params = net.init(init_key, jnp.zeros((1, 24, 24, 3)))
    opt_state = opt.init(params)
    for step in range(31):
        key, sub = jax.random.split(key)
        idx = rng.choice(256, size=32, replace=False)
        params, opt_state, loss = update(params, opt_state, sub, images[idx], labels[idx])
        if step % 10 == 0:
            print(step, round(float(loss), 4))


if __name__ == "__main__":
    main()
