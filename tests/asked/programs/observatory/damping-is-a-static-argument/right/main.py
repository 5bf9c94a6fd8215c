import time

import jax.numpy as jnp
import numpy as np

from lm import minimise, propose


def voigt_like(theta, x):
    amp, centre, width, mix = theta
    z = ((x - centre) / width) ** 2
    return amp * (mix * jnp.exp(-z) + (1 - mix) / (1 + z))


def residuals(theta, data):
    x, y = data
    return voigt_like(theta, x) - y


def main():
    rng = np.random.default_rng(0)
    x = np.linspace(-4, 4, 200).astype(np.float32)
    truth = jnp.array([3.0, 0.4, 0.8, 0.6])
    y = np.asarray(voigt_like(truth, x)) + 0.05 * rng.normal(size=x.size).astype(np.float32)

    start = time.perf_counter()
    theta, cost = minimise(jnp.array([1.0, -0.5, 1.5, 0.5]), (x, y), residuals)
    print("theta", np.round(np.asarray(theta), 3), "cost %.3f" % cost)
    print("seconds %.2f" % (time.perf_counter() - start), "programs", propose._cache_size())


if __name__ == "__main__":
    main()
