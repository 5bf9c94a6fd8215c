from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class Plate:
    n: int
    dx: float
    diffusivity: float
    hot_edge: float


def initial_temperature(plate):
    return jnp.full((plate.n, plate.n), 20.0)
