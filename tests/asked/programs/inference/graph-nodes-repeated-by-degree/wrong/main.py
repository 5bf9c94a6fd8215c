"""Two rounds of messages on a ring with a chord."""
import jax
import jax.numpy as jnp
import numpy as np

from graph import layer


def main():
    degrees = np.array([2, 1, 1, 2])
    receivers = np.array([1, 2, 2, 3, 0, 1])
    weights = 0.5 * jax.random.normal(jax.random.key(0), (2, 3, 3))
    features = jnp.eye(4, 3)
    for _ in range(2):
        features = layer(weights, features, degrees, receivers)
    print(features.shape, bool(jnp.all(jnp.isfinite(features))))


if __name__ == "__main__":
    main()
