from dataclasses import dataclass

import jax.numpy as jnp


@dataclass
class GridSpec:
    nx: int
    ny: int

    @property
    def dx(self) -> float:
        return 1.0 / (self.nx - 1)


def laplacian(u, dx):
    padded = jnp.pad(u, 1, mode="edge")
    neighbours = padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:] + padded[1:-1, :-2]
    return (neighbours - 4.0 * u) / dx**2
