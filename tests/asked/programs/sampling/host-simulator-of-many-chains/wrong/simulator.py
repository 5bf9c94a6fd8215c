"""A simulator that is written with NumPy."""
import jax
import numpy as np


def simulate_on_host(rate):
    rate = np.asarray(rate)
    level = np.ones_like(rate)
    for _ in range(10):
        level = level + 0.1 * rate * level * (1.0 - level / 3.0)
    return level.astype(np.float32)


def simulate(rate):
    shape = jax.ShapeDtypeStruct(rate.shape, rate.dtype)
    return jax.pure_callback(simulate_on_host, shape, rate)  # mistake
