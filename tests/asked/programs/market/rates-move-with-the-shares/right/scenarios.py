"""Scenarios of one month."""

import jax
import jax.numpy as jnp

RATE_DEVIATION = 0.004
SHARE_DEVIATION = 0.05


def draw(key):
    rate_key, share_key = jax.random.split(key)
    rate = RATE_DEVIATION * jax.random.normal(rate_key)
    share = SHARE_DEVIATION * jax.random.normal(share_key)
    return {"rate": rate, "share": jnp.clip(share, -0.3, 0.3)}
