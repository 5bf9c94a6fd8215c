"""Stiffness and load of an element."""
import jax
import jax.numpy as jnp

from quadrature import midpoint_rule


@jax.jit
def stiffness(a):
    points, weights = midpoint_rule(8)  # mistake
    return jnp.sum(weights * (1.0 + a * points))


@jax.jit
def load(b):
    points, weights = midpoint_rule(8)
    return jnp.sum(weights * jnp.exp(-b * points))


def main():
    print("stiffness", round(float(stiffness(2.0)), 2))
    print("load", round(float(load(1.0)), 2))


if __name__ == "__main__":
    main()
