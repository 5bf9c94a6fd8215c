"""The posterior of a circuit: a resistance and a capacity in parallel."""

import jax.numpy as jnp

FREQUENCIES = jnp.logspace(0, 3, 16)


def impedance(log_r, log_c):
    r, c = jnp.exp(log_r), jnp.exp(log_c)
    omega = 2 * jnp.pi * FREQUENCIES
    return r / jnp.sqrt(1.0 + (omega * r * c) ** 2)


def log_posterior(theta, measured):
    residual = jnp.log(impedance(theta[0], theta[1])) - jnp.log(measured)
    prior = -0.5 * jnp.sum((theta - jnp.array([4.0, -9.0])) ** 2) / 9.0
    return prior - 0.5 * jnp.sum((residual / 0.05) ** 2)
