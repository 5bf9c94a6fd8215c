"""Regression models."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Regression(NamedTuple):
    slope: jax.Array
    intercept: jax.Array
    log_sigma: jax.Array


def log_likelihood(params, x, y):
    mean = params.slope * x + params.intercept
    z = (y - mean) / jnp.exp(params.log_sigma)
    return -0.5 * z**2 - params.log_sigma


def log_prior(params):
    return -0.5 * (params.slope**2 + params.intercept**2 + params.log_sigma**2) / 100.0
