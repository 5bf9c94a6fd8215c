"""Scenarios of one month."""

import jax
import jax.numpy as jnp

RATE_DEVIATION = 0.004
SHARE_DEVIATION = 0.05


def draw(key):
    rate = RATE_DEVIATION * jax.random.normal(key)
    share = SHARE_DEVIATION * jax.random.normal(key)  # mistake
    return {"rate": rate, "share": jnp.clip(share, -0.3, 0.3)}
