"""Sample a circuit with four chains."""

import jax
import jax.numpy as jnp
from chains import run
from target import impedance


def spread_between(draws):
    means = draws[:, draws.shape[1] // 2 :].mean(axis=1)
    return means.std(axis=0)


def main():
    measured = impedance(jnp.log(60.0), jnp.log(1e-4))
    starts = jnp.tile(jnp.array([4.2, -9.0]), (4, 1))
    draws = run(jax.random.key(31), starts, measured)
    print("draws", draws.shape)
    print("chains differ:", bool((spread_between(draws) > 0).all()))
    print("resistance", round(float(jnp.exp(draws[:, 150:, 0].mean())) / 10))


if __name__ == "__main__":
    main()
