"""Smooth the prices of flats by Holt's method, and learn its rates."""

import jax
import jax.numpy as jnp

PRICES = jnp.array([
    452.5, 765.0, 549.0, 560.0, 580.0, 570.0, 510.0, 499.0, 510.0, 503.6, 516.5, 583.0, 575.0, 590.0,
    558.8, 583.2, 601.0, 600.0, 606.0, 560.0, 569.0, 550.0, 573.8, 605.0, 570.0, 595.0, 579.0, 603.5,
])  # fmt: skip


def smooth(start, rates, prices):
    """One-step forecasts."""
    alpha, beta = jax.nn.sigmoid(rates)

    def step(state, price):
        level, trend = state
        forecast = level + trend
        error = price - forecast
        return (forecast + alpha * error, trend + alpha * beta * error), forecast

    _, forecasts = jax.lax.scan(step, start, prices)
    return forecasts


def loss(rates, prices):
    start = (prices[0], jnp.zeros_like(prices[0]))
    forecasts = smooth(start, rates, prices[1:])
    return jnp.mean((forecasts - prices[1:]) ** 2)


@jax.jit
def improve(rates, prices):
    value, slope = jax.value_and_grad(loss)(rates, prices)
    return rates - 0.5 * slope / (1e-6 + jnp.linalg.norm(slope)), value


def main():
    scaled = PRICES / 100.0
    rates = jnp.array([0.0, -2.0])
    values = []
    for _ in range(30):
        rates, value = improve(rates, scaled)
        values.append(float(value))
    print("learnt", values[-1] <= values[0])
    print("rates", rates.shape)


if __name__ == "__main__":
    main()
