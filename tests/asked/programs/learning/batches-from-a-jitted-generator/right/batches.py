"""Batches of a data set in random order."""
import jax


@jax.jit
def order(key, x, y):
    permutation = jax.random.permutation(key, len(x))
    return x[permutation], y[permutation]


def batches(key, x, y):
    x, y = order(key, x, y)
    for begin in range(0, len(x), 8):
        yield x[begin : begin + 8], y[begin : begin + 8]


def noisy_line(key, count):
    key_x, key_y = jax.random.split(key)
    x = jax.random.uniform(key_x, (count,))
    return x, 2.0 * x + 0.1 * jax.random.normal(key_y, (count,))
