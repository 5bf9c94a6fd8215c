from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Market:
    spot: float
    rate: float
    vol: float
    maturity: float


@dataclass(frozen=True)
class AsianCall:
    strike: float

    def payoff(self, path):
        average = path.mean()
        return jnp.maximum(average - self.strike, 0.0)


@dataclass(frozen=True)
class LookbackCall:
    strike: float

    def payoff(self, path):
        return jax.nn.relu(path.max() - self.strike)


def simulate_paths(key, market, n_paths, n_steps):
    dt = market.maturity / n_steps
    noise = jax.random.normal(key, (n_paths, n_steps))
    drift = (market.rate - 0.5 * market.vol**2) * dt
    log_returns = drift + market.vol * jnp.sqrt(dt) * noise
    return market.spot * jnp.exp(jnp.cumsum(log_returns, axis=1))


@partial(jax.jit, static_argnames=("market", "product", "n_paths", "n_steps"))
def price(key, market, product, n_paths=4096, n_steps=50):
    paths = simulate_paths(key, market, n_paths, n_steps)
    payoffs = jax.vmap(product.payoff)(paths)
    discount = jnp.exp(-market.rate * market.maturity)
    value = discount * payoffs.mean()
    stderr = discount * payoffs.std() / jnp.sqrt(n_paths)
    return value, stderr


def main():
    market = Market(spot=100.0, rate=0.03, vol=0.25, maturity=1.0)
    lookback_key, asian_key = jax.random.split(jax.random.key(11))
    value, stderr = price(lookback_key, market, LookbackCall(105.0))
    print(f"lookback: {value:.3f} +- {stderr:.3f}")
    value, stderr = price(asian_key, market, AsianCall(100.0))
    print(f"asian: {value:.3f} +- {stderr:.3f}")


if __name__ == "__main__":
    main()
