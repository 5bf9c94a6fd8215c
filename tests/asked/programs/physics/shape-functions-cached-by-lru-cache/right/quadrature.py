"""Quadrature rules."""
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def midpoint_rule(n):
    points = (np.arange(n) + 0.5) / n
    return points.astype(np.float32), np.full(n, 1.0 / n, np.float32)
