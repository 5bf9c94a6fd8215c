"""Fit the brightness of a star field to two exposures."""

import equinox as eqx
import jax
import jax.numpy as jnp

from exposure import Exposure, Field


@eqx.filter_jit
@eqx.filter_value_and_grad
def loss_fn(field, exposure):
    return jnp.mean((field.image() - exposure.counts) ** 2)


def fit(field, exposure, steps=50):
    for _ in range(steps):
        loss, grads = loss_fn(field, exposure)  # mistake
        field = eqx.apply_updates(field, jax.tree.map(lambda g: -100.0 * g, grads))
    return field, loss


def main():
    field = Field(jnp.array([[0.3, 0.3], [0.7, 0.6]]), jnp.zeros(2))
    for night in (0, 1):
        exposure = Exposure(jax.random.key(night), field.places)  # mistake
        field, loss = fit(field, exposure)
        print(f"night {night}: fits: {bool(loss < 0.02)}")
    print("first star is brighter:", bool(field.brightness[0] > field.brightness[1]))


if __name__ == "__main__":
    main()
