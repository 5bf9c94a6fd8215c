"""Fill gaps by what the other stations and hours say."""

import jax
import jax.numpy as jnp


def additive_estimate(table):
    total = jnp.nanmean(table)
    by_station = jnp.nanmean(table, axis=1, keepdims=True) - total
    by_hour = jnp.nanmean(table, axis=0, keepdims=True) - total
    return total + by_station + by_hour


@jax.jit
def fill(table):
    estimate = additive_estimate(table)
    missing = jnp.isnan(table)
    return table.at[missing].set(estimate[missing])  # mistake


@jax.jit
def warmest_hour(table):
    return jnp.argmax(table, axis=1)
