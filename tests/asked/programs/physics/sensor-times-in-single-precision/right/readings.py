"""Readings of an accelerometer."""
import numpy as np


def load(n=8):
    rng = np.random.default_rng(0)
    times = 1_700_000_000.0 + 0.5 * np.arange(n)
    return times, rng.normal(0.0, 0.1, n) + 1.0
