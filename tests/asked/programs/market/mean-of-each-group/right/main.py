"""Group shares by how their prices move."""

import jax
import jax.numpy as jnp

from cluster import assign, improve


def returns(key, groups=3, each=20, days=60):
    k_factor, k_noise = jax.random.split(key)
    factors = jax.random.normal(k_factor, (groups, days))
    truth = jnp.repeat(jnp.arange(groups), each)
    return factors[truth] + 0.2 * jax.random.normal(k_noise, (groups * each, days)), truth


def main():
    rows, truth = returns(jax.random.key(8))
    centres = rows[jnp.array([0, 25, 50])]
    for _ in range(5):
        centres = improve(rows, centres)
    labels = assign(rows, centres)
    print("groups", [int(jnp.sum(labels == j)) for j in range(3)])
    print("as they were made:", bool(jnp.all(labels == truth)))


if __name__ == "__main__":
    main()
