from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class HarmonicChain:
    k: float
    r0: float

    def potential(self, pos):
        bond = pos[1:] - pos[:-1]
        return 0.5 * self.k * jnp.sum((bond - self.r0) ** 2)

    def force(self, pos):
        return -jax.grad(self.potential)(pos)
