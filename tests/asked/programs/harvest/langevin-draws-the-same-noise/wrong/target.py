import jax.numpy as jnp

PRECISION = jnp.array([[1.5, -0.6], [-0.6, 1.0]])
MEAN = jnp.array([1.0, -2.0])


def log_density(x):
    """A normal distribution whose coordinates depend on each other."""
    away = x - MEAN
    return -0.5 * away @ PRECISION @ away
