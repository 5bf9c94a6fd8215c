from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class EnvParams:
    dt: float = 0.1
    arena: float = 3.0
    max_steps: int = 100


class EnvState(NamedTuple):
    pos: jax.Array
    vel: jax.Array
    t: jax.Array


class PointMass:
    def __init__(self, params: EnvParams):
        self.params = params

    def reset(self, key) -> EnvState:
        pos = jax.random.uniform(key, (2,), minval=-1.0, maxval=1.0)
        return EnvState(pos, jnp.zeros(2), jnp.int32(0))

    def observe(self, state: EnvState):
        return jnp.concatenate([state.pos, state.vel])

    def step(self, state: EnvState, action, key):
        p = self.params
        vel = 0.98 * state.vel + p.dt * jnp.clip(action, -1.0, 1.0)
        moved = EnvState(state.pos + p.dt * vel, vel, state.t + 1)
        reward = -jnp.sum(moved.pos**2)
        outside = jnp.any(jnp.abs(moved.pos) > p.arena)
        done = outside | (moved.t >= p.max_steps)
        if done:  # mistake
            moved = self.reset(key)
        return moved, reward, done
