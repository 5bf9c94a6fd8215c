from typing import NamedTuple

import jax
import jax.numpy as jnp


class LinearSystem(NamedTuple):
    F: jax.Array
    H: jax.Array
    Q: jax.Array
    R: jax.Array


def constant_velocity(dt: float, q: float, r: float) -> LinearSystem:
    F = jnp.array([[1.0, dt], [0.0, 1.0]])
    H = jnp.array([[1.0, 0.0]])
    Q = q * jnp.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    return LinearSystem(F, H, Q, jnp.array([[r]]))
