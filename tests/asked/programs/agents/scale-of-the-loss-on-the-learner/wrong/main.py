"""Learn the reward of a position."""

import jax
import jax.numpy as jnp
import optax
from learner import Learner


def initial(key, width=8):
    k1, k2 = jax.random.split(key)
    return {
        "w1": 0.5 * jax.random.normal(k1, (2, width)),
        "b1": jnp.zeros(width),
        "w2": 0.5 * jax.random.normal(k2, (width, 1)),
    }


def main():
    k_init, k_data = jax.random.split(jax.random.key(0))
    learner = Learner(initial(k_init), optax.sgd(0.1))
    x = jax.random.uniform(k_data, (32, 2), minval=-1.0)
    y = 1.0 - jnp.sum(x**2, axis=1)
    losses = [learner.update(x, y) for _ in range(20)]
    print("updates", len(losses))
    print("learnt", bool(losses[-1] < losses[0]))


if __name__ == "__main__":
    main()
