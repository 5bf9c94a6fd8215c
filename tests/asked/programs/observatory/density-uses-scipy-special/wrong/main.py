from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from hmc import sample
from posterior import log_posterior


def main():
    rng = np.random.default_rng(2)
    dose = np.linspace(-1, 1, 40).astype(np.float32)
    counts = rng.poisson(np.exp(1.0 + 0.8 * dose)).astype(np.float32)
    density = partial(log_posterior, dose=dose, counts=counts)
    runner = jax.jit(lambda key, q0: sample(key, density, q0, n_samples=600))
    draws, rate = runner(jax.random.key(3), jnp.zeros(3))
    print("acceptance %.2f" % rate)
    print("posterior mean", np.round(np.asarray(draws[200:].mean(axis=0)), 2))


if __name__ == "__main__":
    main()
