"""Quadrature rules."""
from functools import lru_cache

import jax.numpy as jnp


@lru_cache(maxsize=None)  # mistake
def midpoint_rule(n):
    points = (jnp.arange(n) + 0.5) / n  # mistake
    return points, jnp.full(n, 1.0 / n)  # mistake
