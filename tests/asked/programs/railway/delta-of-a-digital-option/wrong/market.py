from typing import NamedTuple

import jax
import jax.numpy as jnp


class Market(NamedTuple):
    spot: float
    rate: float
    vol: float


def terminal_prices(market, key, maturity, n_paths):
    z = jax.random.normal(key, (n_paths,))
    drift = (market.rate - 0.5 * market.vol**2) * maturity
    return market.spot * jnp.exp(drift + market.vol * jnp.sqrt(maturity) * z)
