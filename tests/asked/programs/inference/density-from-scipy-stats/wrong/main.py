"""Fit the absorption of a drug with random-walk Metropolis."""
import jax
import jax.numpy as jnp
import numpy as np

from priors import log_prior

TIMES = np.array([0.5, 1.0, 2.0, 4.0, 8.0], np.float32)


def concentration(log_ka, log_ke):
    ka, ke = jnp.exp(log_ka), jnp.exp(log_ke)
    return ka / (ka - ke + 1e-4) * (jnp.exp(-ke * TIMES) - jnp.exp(-ka * TIMES))


@jax.jit
def log_posterior(theta, observed):
    residual = observed - concentration(theta[0], theta[1])
    return -0.5 * jnp.sum((residual / 0.1) ** 2) + log_prior(theta[0], theta[1])


def main():
    observed = concentration(jnp.float32(0.4), jnp.float32(-1.2))
    theta = jnp.array([0.0, -1.0])
    current = log_posterior(theta, observed)
    for key in jax.random.split(jax.random.key(0), 200):
        k_move, k_accept = jax.random.split(key)
        proposal = theta + 0.1 * jax.random.normal(k_move, (2,))
        value = log_posterior(proposal, observed)
        if jnp.log(jax.random.uniform(k_accept)) < value - current:
            theta, current = proposal, value
    print("fits", float(jnp.max(jnp.abs(concentration(*theta) - observed))) < 0.2)


if __name__ == "__main__":
    main()
