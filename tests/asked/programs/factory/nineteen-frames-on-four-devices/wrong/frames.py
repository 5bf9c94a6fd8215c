"""Frames of a robot arm with the force of its grip."""

import numpy as np

FRAMES = 147


def record():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(FRAMES, 6)).astype(np.float32)
    grip = x @ np.array([1.0, 0.0, -0.5, 0.0, 0.3, 0.2], np.float32)
    return x, grip


def batches(size):
    x, grip = record()
    for start in range(0, FRAMES, size):  # mistake
        yield x[start : start + size], grip[start : start + size]
