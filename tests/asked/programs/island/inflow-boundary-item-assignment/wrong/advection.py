from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class Grid:
    num_cells: int
    length: float

    @property
    def dx(self) -> float:
        return self.length / self.num_cells

    def centers(self):
        return (jnp.arange(self.num_cells) + 0.5) * self.dx


@dataclass(frozen=True)
class Scheme:
    grid: Grid
    velocity: float
    cfl: float = 0.5

    @property
    def dt(self):
        return self.cfl * self.grid.dx / self.velocity

    def inflow(self, time):
        return 0.5 * (1.0 + jnp.sin(4.0 * time))

    def advance(self, u, time):
        flux = self.velocity * u
        upwind = flux - jnp.roll(flux, 1)
        new = u - self.dt / self.grid.dx * upwind
        new[0] = self.inflow(time)  # mistake
        return new
