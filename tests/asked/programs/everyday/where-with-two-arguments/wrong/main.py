"""Downside risk of a set of portfolios."""
import jax
import jax.numpy as jnp


def downside_deviation(returns, target=0.0):
    excess = returns - target
    losses = jnp.where(excess < 0, excess)  # mistake
    return jnp.sqrt(jnp.mean(losses**2))


@jax.jit
def sortino(weights, asset_returns):
    returns = asset_returns @ weights
    return jnp.mean(returns) / (downside_deviation(returns) + 1e-6)


if __name__ == "__main__":
    asset_returns = 0.01 * jax.random.normal(jax.random.key(0), (250, 5)) + 0.002
    print(bool(jnp.isfinite(sortino(jnp.full(5, 0.2), asset_returns))))
