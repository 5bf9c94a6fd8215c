"""Measurements of seals, in tenths of a millimetre."""

import numpy as np


def samples(rng, n):
    x = 40.0 + 3.0 * rng.normal(size=(n, 4))
    faulty = x[:, 1] - x[:, 2] > 0.0
    return x.astype(np.float32), faulty.astype(np.float32)
