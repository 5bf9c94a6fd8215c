"""Find the joint angles of an arm by sampling."""
import jax
import jax.numpy as jnp
import numpy as np

from cem import iterate


def main():
    target = jnp.array([0.4, -0.9, 0.2])
    mean, std = jnp.zeros(3), jnp.ones(3)
    for key in jax.random.split(jax.random.key(0), 12):
        mean, std = iterate(key, mean, std, target, 8)
    print(np.round(np.asarray(mean), 1).tolist())


if __name__ == "__main__":
    main()
