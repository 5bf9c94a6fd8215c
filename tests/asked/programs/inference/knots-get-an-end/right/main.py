"""Fit a process to a light curve."""

import jax
import jax.numpy as jnp
from filter import log_likelihood, slope
from kernels import default_grid


def main():
    x = jnp.asarray(default_grid(40))
    y = jnp.sin(x) + 0.1 * jax.random.normal(jax.random.key(0), x.shape)
    theta = jnp.zeros(3)
    before = log_likelihood(theta, x, y)
    for _ in range(50):
        theta = theta + 0.01 * jnp.clip(slope(theta, x, y), -5, 5)
    print("better", bool(log_likelihood(theta, x, y) > before))


if __name__ == "__main__":
    main()
