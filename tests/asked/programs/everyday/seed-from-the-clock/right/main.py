"""Sample paths of a stock price."""
import time

import jax
import jax.numpy as jnp


@jax.jit
def paths(key, spot=100.0, drift=0.03, volatility=0.2):
    steps = jax.random.normal(key, (1000, 52))
    dt = 1.0 / 52
    log_returns = (drift - 0.5 * volatility**2) * dt + volatility * jnp.sqrt(dt) * steps
    return spot * jnp.exp(jnp.cumsum(log_returns, axis=1))


if __name__ == "__main__":
    key = jax.random.PRNGKey(int(time.time()))
    print(paths(key).shape)
