import jax
import jax.numpy as jnp

from black import call_price
from solver import implied_volatility


def svi_volatility(params, strikes):
    level, slope, skew, shift = params
    k = jnp.log(strikes / 100.0) - shift
    return jnp.sqrt(level + slope * (skew * k + jnp.sqrt(k**2 + 0.01)))


def quote_error(params, strikes, prices):
    model = call_price(100.0, strikes, 1.0, svi_volatility(params, strikes))
    implied = jax.vmap(implied_volatility, in_axes=(0, None, 0, None))
    difference = implied(model, 100.0, strikes, 1.0) - implied(prices, 100.0, strikes, 1.0)
    return jnp.sum((100.0 * difference) ** 2)
