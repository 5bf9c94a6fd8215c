"""Sample a banana."""
import jax
import jax.numpy as jnp

import hmc


def banana(q):
    return -0.5 * q[0] ** 2 - 0.5 * (q[1] - q[0] ** 2) ** 2


def main():
    transition = hmc.build(banana)
    q = jnp.zeros(2)
    accepted = 0
    for key in jax.random.split(jax.random.key(0), 100):
        q, ok = transition(key, q, 0.2, 5)
        accepted += int(ok)
    print("accepts most:", accepted > 50, q.shape)


if __name__ == "__main__":
    main()
