"""Batches of a data set."""

import jax


def batches(x, y, size, key):
    order = jax.random.permutation(key, x.shape[0])
    for start in range(0, x.shape[0], size):  # mistake
        chosen = order[start : start + size]  # mistake
        yield x[chosen], y[chosen]
