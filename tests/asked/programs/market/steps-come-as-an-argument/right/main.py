"""Price Asian options by simulating the paths of the underlying."""

from functools import partial

import jax
import jax.numpy as jnp

RATE = 0.03


def discount(amount):
    """The worth today of what is paid in a year."""
    return jnp.exp(-RATE) * amount


@partial(jax.jit, static_argnames="steps")
def price(key, spot, strike, volatility, steps):
    times = jnp.arange(1, steps + 1) / steps
    shocks = jax.random.normal(key, (2000, times.shape[0]))
    walk = jnp.cumsum(shocks, axis=1) * jnp.sqrt(1.0 / times.shape[0])
    paths = spot * jnp.exp((RATE - 0.5 * volatility**2) * times + volatility * walk)
    payoff = jnp.maximum(jnp.mean(paths, axis=1) - strike, 0.0)
    return discount(jnp.mean(payoff))


def table(key, steps):
    rows = []
    for strike, row_key in zip((80.0, 100.0, 120.0), jax.random.split(key, 3)):
        keys = jax.random.split(row_key, 3)
        row = [price(k, 100.0, strike, volatility, steps) for k, volatility in zip(keys, (0.1, 0.2, 0.3))]
        rows.append(jnp.stack(row))
    return jnp.stack(rows)


def main():
    key = jax.random.key(11)
    weekly = table(key, 52)
    print("strikes by volatilities", weekly.shape)
    print("a higher strike is cheaper:", bool(jnp.all(jnp.diff(weekly, axis=0) < 0)))
    print("more volatility is dearer:", bool(jnp.all(jnp.diff(weekly[1]) > 0)))


if __name__ == "__main__":
    main()
