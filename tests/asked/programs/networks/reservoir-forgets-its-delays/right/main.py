"""Predict a logistic map that is mixed with a wave."""

import jax
import jax.numpy as jnp
from reservoir import features, fit

WARM = 10


def signal(count=200):
    def body(x, t):
        x = 3.8 * x * (1 - x)
        return x, jnp.stack([x, jnp.sin(0.3 * t)])

    return jax.lax.scan(body, jnp.array(0.4), jnp.arange(count, dtype=jnp.float32))[1]


def main():
    series = signal()
    rows = features(series, length=2)
    inputs, targets = rows[WARM:-1], series[WARM + 1 :]
    readout = fit(inputs, targets)
    error = jnp.mean((inputs @ readout - targets) ** 2) / targets.var()
    print("features", rows.shape[1])
    print("predicts the next value:", bool(error < 0.05))


if __name__ == "__main__":
    main()
