"""Warm up, then train, and report the phase."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def loss_fn(w, x, y):
    return jnp.mean(jnp.abs(x @ w - y))


@partial(jax.jit, static_argnames="phase")
def step(w, x, y, phase):
    rate = 0.01 if phase == "warmup" else 0.1
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    metrics = {"loss": loss, "rate": rate}
    return w - rate * grad, metrics


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)).astype(np.float32)
    y = x @ np.array([0.5, -0.5, 1.0], np.float32)
    w = jnp.zeros(3)
    for index in range(20):
        phase = "warmup" if index < 5 else "train"
        w, metrics = step(w, x, y, phase)
    print(phase, {name: round(float(value), 1) for name, value in metrics.items() if name == "rate"})


if __name__ == "__main__":
    main()
