"""Made-up measurements."""

import jax
import jax.numpy as jnp


def truth(x):
    return 1.0 + 0.5 * x


def measurements(key, count=400, noise=0.8):
    x = jax.random.normal(key, (count,))
    y = truth(x) + noise * jax.random.normal(key, (count,))  # mistake
    return x, y


def split(x, y, share=0.75):
    cut = int(share * x.shape[0])
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])
