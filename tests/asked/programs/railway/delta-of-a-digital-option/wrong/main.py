import jax
import jax.numpy as jnp
from jax.scipy.stats import norm

from greeks import monte_carlo_greeks
from market import Market
from payoffs import call, digital


def digital_delta(market, strike, maturity):
    total = market.vol * jnp.sqrt(maturity)
    d2 = (jnp.log(market.spot / strike) + (market.rate - 0.5 * market.vol**2) * maturity) / total
    return jnp.exp(-market.rate * maturity) * norm.pdf(d2) / (market.spot * total)


def main():
    market = Market(spot=100.0, rate=0.02, vol=0.2)
    key_call, key_digital = jax.random.split(jax.random.key(12))
    for name, payoff, key in (("call", call, key_call), ("digital", digital, key_digital)):
        price, greeks = monte_carlo_greeks(payoff, market, key, strike=105.0, maturity=1.0)
        print(name, "price", round(float(price), 3), "delta", round(float(greeks.spot), 4))
        print(name, "vega", round(float(greeks.vol), 3))
    print("closed form delta", round(float(digital_delta(market, 105.0, 1.0)), 4))


main()
