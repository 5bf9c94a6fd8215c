"""Train an intent classifier, report its calibration."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

import metrics

CLASSES, FEATURES = 5, 12
tx = optax.adamw(1e-2)


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": {"w": jax.random.normal(k1, (FEATURES, 20)) * 0.2, "b": jnp.zeros(20)},
        "out": {"w": jax.random.normal(k2, (20, CLASSES)) * 0.2, "b": jnp.zeros(CLASSES)},
    }


def apply(params, x):
    h = jax.nn.relu(x @ params["hidden"]["w"] + params["hidden"]["b"])
    return h @ params["out"]["w"] + params["out"]["b"]


def compute_metrics(logits, labels, loss):
    return {
        "loss": loss,
        "accuracy": metrics.accuracy(logits, labels),
        "ece": metrics.expected_calibration_error(logits, labels),
    }


@jax.jit
def train_step(params, opt_state, batch):
    def loss_fn(params):
        logits = apply(params, batch["x"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean(), logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, compute_metrics(logits, batch["y"], loss)


def main():
    rng = np.random.default_rng(2)
    centers = rng.normal(size=(CLASSES, FEATURES))
    params = init(jax.random.PRNGKey(0))
    opt_state = tx.init(params)
    for epoch in range(3):
        history = []
        for _ in range(10):
            y = rng.integers(0, CLASSES, 64)
            batch = {"x": (centers[y] + rng.normal(size=(64, FEATURES))).astype(np.float32), "y": y}
            params, opt_state, step_metrics = train_step(params, opt_state, batch)
            history.append(step_metrics)
        print(epoch, {k: round(v, 3) for k, v in metrics.summarize(history).items()})


if __name__ == "__main__":
    main()
