import jax
import jax.numpy as jnp

from bootstrap import BlockBootstrap, risk
from market import daily_returns

PORTFOLIOS = {
    "equal": jnp.full((6,), 1.0 / 6.0, jnp.float32),
    "concentrated": jnp.array([0.7, 0.1, 0.05, 0.05, 0.05, 0.05], jnp.float32),
}


def main():
    returns = daily_returns(750, 6)
    bootstrap = BlockBootstrap()
    keys = jax.random.split(jax.random.key(11), len(PORTFOLIOS))
    for key, (name, weights) in zip(keys, PORTFOLIOS.items()):
        figures = risk(bootstrap, key, returns, weights, 2000)
        print(name, {label: round(float(value), 4) for label, value in figures.items()})


if __name__ == "__main__":
    main()
