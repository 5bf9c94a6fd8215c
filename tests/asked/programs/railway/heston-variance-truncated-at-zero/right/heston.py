from typing import NamedTuple

import jax
import jax.numpy as jnp

SPOT = 100.0
VARIANCE_FLOOR = 1e-4


class HestonParams(NamedTuple):
    kappa: float
    theta: float
    xi: float
    rho: float
    v0: float


def volatility(variance):
    return jnp.sqrt(jnp.maximum(variance, VARIANCE_FLOOR))


def simulate(params, key, maturity, n_paths, n_steps):
    dt = maturity / n_steps

    def step(carry, key):
        log_price, variance = carry
        z = jax.random.normal(key, (2, n_paths))
        vol = volatility(variance)
        z_price = params.rho * z[0] + jnp.sqrt(1.0 - params.rho**2) * z[1]
        log_price = log_price - 0.5 * vol**2 * dt + vol * jnp.sqrt(dt) * z_price
        variance = variance + params.kappa * (params.theta - vol**2) * dt
        variance = variance + params.xi * vol * jnp.sqrt(dt) * z[0]
        return (log_price, variance), None

    start = (jnp.full(n_paths, jnp.log(SPOT)), jnp.full(n_paths, params.v0))
    (log_price, _), _ = jax.lax.scan(step, start, jax.random.split(key, n_steps))
    return jnp.exp(log_price)
