"""Readings of stations, with gaps."""

import jax
import jax.numpy as jnp

STATIONS, HOURS = 5, 24


def readings(key):
    k_base, k_noise, k_gap = jax.random.split(key, 3)
    base = 15.0 + 3.0 * jax.random.normal(k_base, (STATIONS, 1))
    day = 6.0 * jnp.sin(jnp.linspace(0, 2 * jnp.pi, HOURS))
    noise = 0.4 * jax.random.normal(k_noise, (STATIONS, HOURS))
    gaps = jax.random.bernoulli(k_gap, 0.15, (STATIONS, HOURS))
    return jnp.where(gaps, jnp.nan, base + day + noise)
