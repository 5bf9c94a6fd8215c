"""The likelihood by a Kalman filter."""

import jax
import jax.numpy as jnp
from kernels import decay, gaps


def log_likelihood(theta, x, y):
    scale, amplitude, noise = jnp.exp(theta)
    steps = gaps(x)

    def move(carry, inputs):
        mean, variance = carry
        step, value = inputs
        a = decay(step, scale)
        mean, variance = a * mean, a**2 * variance + amplitude * (1 - a**2)
        spread = variance + noise
        residual = value - mean
        gain = variance / spread
        term = -0.5 * (residual**2 / spread + jnp.log(2 * jnp.pi * spread))
        return (mean + gain * residual, (1 - gain) * variance), term

    _, terms = jax.lax.scan(move, (jnp.array(0.0), amplitude), (steps, y))
    return terms.sum()


@jax.jit
def slope(theta, x, y):
    return jax.grad(log_likelihood)(theta, x, y)
