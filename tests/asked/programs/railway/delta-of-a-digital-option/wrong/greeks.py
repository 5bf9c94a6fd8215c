from functools import partial

import jax
import jax.numpy as jnp

from market import terminal_prices


@partial(jax.jit, static_argnames=("payoff", "n_paths"))
def monte_carlo_greeks(payoff, market, key, strike, maturity, n_paths=100_000):
    def price(market):
        prices = terminal_prices(market, key, maturity, n_paths)
        return jnp.exp(-market.rate * maturity) * payoff(prices, strike).mean()

    return jax.value_and_grad(price)(market)  # mistake
