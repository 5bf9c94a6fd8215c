import jax.numpy as jnp


def log_prior(x):
    return -0.5 * jnp.sum(x**2, axis=-1) / 9.0


def log_likelihood(x):
    left = -0.5 * jnp.sum((x - 2.0) ** 2, axis=-1) / 0.25
    right = -0.5 * jnp.sum((x + 2.0) ** 2, axis=-1) / 0.25
    return jnp.logaddexp(left, right)
