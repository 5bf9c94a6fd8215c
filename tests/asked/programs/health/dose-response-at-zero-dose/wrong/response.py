"""A curve of dose and response."""

import jax.numpy as jnp


def hill(params, dose):
    """The share of cells that respond; none do without a dose."""
    top, half, slope = params["top"], jnp.exp(params["log_half"]), params["slope"]
    exponent = slope * jnp.log(dose / half)  # mistake
    return jnp.where(dose > 0, top / (1 + jnp.exp(-exponent)), 0.0)  # mistake


def deviance(params, doses, shares):
    return jnp.mean((hill(params, doses) - shares) ** 2)
