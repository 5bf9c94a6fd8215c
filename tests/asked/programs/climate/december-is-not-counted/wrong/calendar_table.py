"""Rain by month."""

import jax
import jax.numpy as jnp

MONTHS = 12
DAYS = jnp.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@jax.jit
def total_by_month(months, rain):
    """months are numbered as people number them, from January = 1."""
    totals = jnp.zeros(MONTHS)
    return totals.at[months].add(rain)  # mistake


@jax.jit
def per_day(months, rain):
    return rain / DAYS[months]  # mistake


def wettest(totals):
    return int(jnp.argmax(totals)) + 1
