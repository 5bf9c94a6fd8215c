from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class LennardJones:
    epsilon: float
    sigma: float

    def energy(self, pos):
        i, j = np.triu_indices(pos.shape[0], k=1)
        r2 = jnp.sum((pos[i] - pos[j]) ** 2, axis=-1)
        s6 = (self.sigma**2 / r2) ** 3
        return jnp.sum(4.0 * self.epsilon * (s6**2 - s6))

    def forces(self, pos):
        return -jax.grad(self.energy)(pos)


@dataclass(frozen=True)
class VerletIntegrator:
    potential: LennardJones
    dt: float

    @partial(jax.jit, static_argnames=("steps",))  # mistake
    def run(self, pos, vel, steps: int):
        def body(_, carry):
            pos, vel, force = carry
            vel = vel + 0.5 * self.dt * force
            pos = pos + self.dt * vel
            force = self.potential.forces(pos)
            vel = vel + 0.5 * self.dt * force
            return pos, vel, force

        init = (pos, vel, self.potential.forces(pos))
        pos, vel, _ = jax.lax.fori_loop(0, steps, body, init)
        return pos, vel
