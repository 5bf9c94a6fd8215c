import jax
import jax.numpy as jnp

from black import call_price, vega


@jax.custom_vjp  # mistake
def implied_volatility(price, spot, strike, maturity):
    def newton(_, vol):
        step = (call_price(spot, strike, maturity, vol) - price) / vega(spot, strike, maturity, vol)
        return jnp.clip(vol - step, 0.01, 2.0)

    return jax.lax.fori_loop(0, 12, newton, jnp.full((), 0.3))


def implied_volatility_fwd(price, spot, strike, maturity):
    vol = implied_volatility(price, spot, strike, maturity)
    return vol, (vol, spot, strike, maturity)


def implied_volatility_bwd(residuals, cotangent):
    vol, spot, strike, maturity = residuals
    g = cotangent / vega(spot, strike, maturity, vol)
    return g, jnp.zeros_like(g), jnp.zeros_like(g), jnp.zeros_like(g)


implied_volatility.defvjp(implied_volatility_fwd, implied_volatility_bwd)
