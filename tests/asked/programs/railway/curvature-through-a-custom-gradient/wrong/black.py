import jax.numpy as jnp
from jax.scipy.stats import norm


def call_price(spot, strike, maturity, vol):
    total = vol * jnp.sqrt(maturity)
    d1 = jnp.log(spot / strike) / total + 0.5 * total
    return spot * norm.cdf(d1) - strike * norm.cdf(d1 - total)


def vega(spot, strike, maturity, vol):
    total = vol * jnp.sqrt(maturity)
    d1 = jnp.log(spot / strike) / total + 0.5 * total
    return spot * norm.pdf(d1) * jnp.sqrt(maturity)
