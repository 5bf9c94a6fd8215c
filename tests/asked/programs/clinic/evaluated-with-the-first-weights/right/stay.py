"""Records of stays in a hospital, made up."""

import numpy as np


def records(rng, n):
    x = rng.normal(size=(n, 6)).astype(np.float32)
    days = 5.0 + 2.0 * x[:, 0] - 1.5 * x[:, 1] * (x[:, 2] > 0)
    return x, days.astype(np.float32)


def batches(epoch, count=40, size=32):
    rng = np.random.default_rng(epoch)
    for _ in range(count):
        yield records(rng, size)


def held_out():
    return records(np.random.default_rng(99), 256)
