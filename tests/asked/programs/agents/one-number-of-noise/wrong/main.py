"""See how differently a group of robots explores."""
import jax
import jax.numpy as jnp

import policy


def main():
    key_weights, key_observations, key = jax.random.split(jax.random.key(0), 3)
    weights = policy.init(key_weights, 5, 3)
    observations = jax.random.normal(key_observations, (8, 5))
    deviations = []
    for _ in range(4):
        key, key_noise = jax.random.split(key)
        actions, _ = policy.explore(weights, observations, key_noise)
        deviation = actions - jnp.tanh(observations @ weights)
        deviations.append(float(deviation.std()) > 0.01)
    print("robots explore differently", deviations)


if __name__ == "__main__":
    main()
