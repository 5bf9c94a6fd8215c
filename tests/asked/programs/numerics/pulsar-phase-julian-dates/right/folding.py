from functools import partial

import jax
import jax.numpy as jnp

from observations import T0


def phases(dates, period):
    return jnp.mod((dates - T0) / period, 1.0)


@partial(jax.jit, static_argnames=("n_bins",))
def fold(dates, period, n_bins: int):
    idx = (phases(dates, period) * n_bins).astype(int)
    return jnp.bincount(idx, length=n_bins)


@jax.jit
def period_search(dates, trial_periods):
    def rayleigh(period):
        angle = 2.0 * jnp.pi * phases(dates, period)
        return (jnp.sum(jnp.cos(angle)) ** 2 + jnp.sum(jnp.sin(angle)) ** 2) / dates.shape[0]

    power = jax.lax.map(rayleigh, trial_periods)
    best = jnp.argmax(power)
    return trial_periods[best], power[best]
