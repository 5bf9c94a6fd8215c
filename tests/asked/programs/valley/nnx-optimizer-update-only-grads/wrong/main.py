import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from model import Forecaster
from train import evaluate, train_step


def windows(series, context, horizon):
    n = len(series) - context - horizon
    idx = np.arange(n)[:, None]
    x = series[idx + np.arange(context)[None]]
    y = series[idx + context + np.arange(horizon)[None]]
    return x.astype(np.float32), y.astype(np.float32)


def main():
    t = np.arange(600)
    noise = np.random.default_rng(0).normal(size=600)
    series = np.sin(2 * np.pi * t / 25) + 0.05 * noise
    x, y = windows(series, context=24, horizon=4)
    split = 450

    model = Forecaster(24, 4, width=32, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    order = np.random.default_rng(1)
    for epoch in range(5):
        total = 0.0
        for _ in range(14):
            pick = order.choice(split, size=32, replace=False)
            total += train_step(model, optimizer, jnp.asarray(x[pick]), jnp.asarray(y[pick]))
        print(f"epoch {epoch} mse {float(total) / 14:.4f}")
    print("test", float(evaluate(model, jnp.asarray(x[split:]), jnp.asarray(y[split:]))))


if __name__ == "__main__":
    main()
