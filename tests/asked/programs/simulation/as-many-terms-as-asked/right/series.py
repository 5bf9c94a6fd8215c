"""Laguerre polynomials and a Wigner-like function of a state of light."""

import jax
import jax.numpy as jnp


def laguerre(order, x):
    """By the recurrence of three terms."""

    def body(k, carry):
        before, now = carry
        after = ((2 * k + 1 - x) * now - k * before) / (k + 1)
        return now, after

    start = (jnp.zeros_like(x), jnp.ones_like(x))
    carry, _ = jax.lax.scan(lambda c, k: (body(k, c), None), start, jnp.arange(order))
    return carry[1]


def wigner(order, position, momentum):
    distance = 2.0 * (position**2 + momentum**2)
    sign = jnp.where(order % 2 == 0, 1.0, -1.0)
    return sign * jnp.exp(-distance) * laguerre(order, 2.0 * distance)
