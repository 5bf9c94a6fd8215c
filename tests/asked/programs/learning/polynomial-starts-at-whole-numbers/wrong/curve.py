"""A calibration curve of a thermometer."""

import jax.numpy as jnp


def initial(degree):
    """A line without slope."""
    return jnp.array([1] + [0] * degree)  # mistake


def evaluate(coefficients, x):
    value = jnp.zeros_like(x)
    for c in coefficients[::-1]:
        value = value * x + c
    return value


def penalty(coefficients):
    return 1e-3 * jnp.sum(coefficients[1:] ** 2)
