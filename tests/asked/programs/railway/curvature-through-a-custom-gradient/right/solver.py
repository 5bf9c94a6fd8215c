import jax
import jax.numpy as jnp

from black import call_price, vega


@jax.custom_jvp
def implied_volatility(price, spot, strike, maturity):
    def newton(_, vol):
        step = (call_price(spot, strike, maturity, vol) - price) / vega(spot, strike, maturity, vol)
        return jnp.clip(vol - step, 0.01, 2.0)

    return jax.lax.fori_loop(0, 12, newton, jnp.full((), 0.3))


@implied_volatility.defjvp
def implied_volatility_jvp(primals, tangents):
    price, spot, strike, maturity = primals
    vol = implied_volatility(price, spot, strike, maturity)
    return vol, tangents[0] / vega(spot, strike, maturity, vol)
