import jax
import jax.numpy as jnp

from smile import quote_error, svi_volatility
from solver import implied_volatility
from black import call_price


def main():
    strikes = jnp.linspace(80.0, 120.0, 9)
    true = jnp.array([0.04, 0.1, -0.3, 0.02])
    prices = call_price(100.0, strikes, 1.0, svi_volatility(true, strikes))
    start = jnp.array([0.05, 0.12, -0.2, 0.0])

    smile = jax.jit(jax.vmap(implied_volatility, in_axes=(0, None, 0, None)))
    vols = smile(prices, 100.0, strikes, 1.0)
    print("volatilities", [round(float(v), 4) for v in vols])

    error, slope = jax.jit(jax.value_and_grad(quote_error))(start, strikes, prices)
    curvature = jax.jit(jax.hessian(quote_error))(start, strikes, prices)
    print("error", float(error), "gradient", slope.shape)
    print("eigenvalues", jnp.linalg.eigvalsh(curvature).round(3).tolist())


main()
