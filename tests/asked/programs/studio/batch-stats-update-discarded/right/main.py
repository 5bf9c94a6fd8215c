import jax
import jax.numpy as jnp
import numpy as np
import optax

from nets import ConvBNNet

model = ConvBNNet(classes=3)
tx = optax.adam(5e-3)


def loss_fn(params, batch_stats, images, labels):
    variables = {"params": params, "batch_stats": batch_stats}
    logits, updates = model.apply(variables, images, train=True, mutable=["batch_stats"])
    ce = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    accuracy = (logits.argmax(-1) == labels).mean()
    return ce, (updates["batch_stats"], accuracy)


@jax.jit
def train_step(params, batch_stats, opt_state, images, labels):
    grad_fn = jax.value_and_grad(loss_fn, has_aux=True)
    (loss, (batch_stats, accuracy)), grads = grad_fn(params, batch_stats, images, labels)
    updates, opt_state = tx.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    return params, batch_stats, opt_state, {"loss": loss, "accuracy": accuracy}


@jax.jit
def evaluate(params, batch_stats, images, labels):
    logits = model.apply({"params": params, "batch_stats": batch_stats}, images, train=False)
    return (logits.argmax(-1) == labels).mean()


def leaves(rng, n):
    labels = rng.integers(0, 3, size=n)
    tint = np.eye(3)[labels][:, None, None, :]
    images = 120.0 + 8.0 * tint + 5.0 * rng.normal(size=(n, 16, 16, 3))
    return images.astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    variables = model.init(jax.random.key(0), jnp.zeros((1, 16, 16, 3)), train=False)
    params, batch_stats = variables["params"], variables["batch_stats"]
    opt_state = tx.init(params)
    for step in range(60):
        params, batch_stats, opt_state, metrics = train_step(
            params, batch_stats, opt_state, *leaves(rng, 48)
        )
        if step % 20 == 19:
            print(step, {k: round(float(v), 3) for k, v in metrics.items()})
    print("test accuracy", round(float(evaluate(params, batch_stats, *leaves(rng, 300))), 3))


if __name__ == "__main__":
    main()
