"""A curve of dose and response."""

import jax.numpy as jnp


def hill(params, dose):
    """The share of cells that respond; none do without a dose."""
    top, half, slope = params["top"], jnp.exp(params["log_half"]), params["slope"]
    safe = jnp.where(dose > 0, dose, 1.0)
    exponent = slope * jnp.log(safe / half)
    return jnp.where(dose > 0, top / (1 + jnp.exp(-exponent)), 0.0)


def deviance(params, doses, shares):
    return jnp.mean((hill(params, doses) - shares) ** 2)
