from dataclasses import dataclass

import jax.numpy as jnp

MOVES = jnp.array([[-1, 0], [1, 0], [0, -1], [0, 1]])


@dataclass(frozen=True)
class GridWorld:
    size: int

    @property
    def n_states(self):
        return self.size**2

    @property
    def n_actions(self):
        return 4

    def step(self, s, a):
        pos = jnp.stack([s // self.size, s % self.size]) + MOVES[a]
        pos = jnp.clip(pos, 0, self.size - 1)
        nxt = pos[0] * self.size + pos[1]
        done = nxt == self.n_states - 1
        return nxt, jnp.where(done, 1.0, -0.01), done
