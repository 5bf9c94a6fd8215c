"""A Bayesian line, with its conjugate posterior."""

import jax
import jax.numpy as jnp
from data import measurements, split


def design(x):
    return jnp.stack([jnp.ones_like(x), x], axis=1)


@jax.jit
def posterior(x, y, noise_variance, prior_variance=10.0):
    a = design(x)
    precision = a.T @ a / noise_variance + jnp.eye(2) / prior_variance
    mean = jnp.linalg.solve(precision, a.T @ y / noise_variance)
    return mean, jnp.linalg.inv(precision)


@jax.jit
def residual_spread(mean, x, y):
    return jnp.std(y - design(x) @ mean)


def credible(mean, covariance, index, value):
    width = 3.0 * jnp.sqrt(covariance[index, index])
    return jnp.abs(mean[index] - value) < width


def main():
    train, test = split(*measurements(jax.random.key(10)))
    mean, covariance = posterior(*train, noise_variance=0.64)
    print("intercept is credible:", bool(credible(mean, covariance, 0, 1.0)))
    print("slope is credible:", bool(credible(mean, covariance, 1, 0.5)))
    spread = residual_spread(mean, *test)
    print("noise is found:", bool(jnp.abs(spread - 0.8) < 0.1))


if __name__ == "__main__":
    main()
