import jax
import jax.numpy as jnp


def make_houses(key, n):
    """Features and logarithms of prices, both centred."""
    key_features, key_noise = jax.random.split(key)
    features = jax.random.normal(key_features, (n, 4))
    worth = jnp.array([0.8, 0.4, -0.3, 0.1])
    prices = features @ worth + 0.2 * features[:, 0] * features[:, 1]
    return features, prices + 0.1 * jax.random.normal(key_noise, (n,))
