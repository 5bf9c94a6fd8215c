from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Grid:
    n: int = 128
    length: float = 1.0
    cfl: float = 0.5

    @property
    def dx(self) -> float:
        return self.length / self.n

    def centres(self):
        return (np.arange(self.n) + 0.5) * self.dx


def upwind(u, dt, dx):
    flux = 0.5 * u * jnp.abs(u)
    return u - dt / dx * (flux - jnp.roll(flux, 1))


@partial(jax.jit, static_argnames=("grid",))
def advance(u, interval, grid: Grid):
    speed = jnp.max(jnp.abs(u))
    n_sub = jnp.ceil(interval * speed / (grid.cfl * grid.dx)).astype(jnp.int32)
    dt = interval / n_sub
    for _ in range(n_sub):  # mistake
        u = upwind(u, dt, grid.dx)
    return u, n_sub


def total_variation(u):
    return jnp.sum(jnp.abs(jnp.diff(u, append=u[:1])))


def main():
    grid = Grid()
    x = grid.centres()
    u = jnp.asarray(1.0 + 0.5 * np.sin(2 * np.pi * x), dtype=jnp.float32)
    mass = jnp.sum(u) * grid.dx
    for frame in range(4):
        u, n_sub = advance(u, 0.05, grid)
        drift = jnp.sum(u) * grid.dx - mass
        print(f"frame {frame}: {n_sub} substeps, tv {total_variation(u):.3f}, mass drift {drift:.1e}")


if __name__ == "__main__":
    main()
