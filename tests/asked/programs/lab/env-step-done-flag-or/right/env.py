from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp


class EnvState(NamedTuple):
    x: jax.Array
    v: jax.Array
    t: jax.Array


@dataclass(frozen=True)
class MountainCar:
    power: float = 0.0015
    goal: float = 0.45
    max_steps: int = 200

    def reset(self, key):
        x = jax.random.uniform(key, (), minval=-0.6, maxval=-0.4)
        return EnvState(x, jnp.zeros(()), jnp.zeros((), jnp.int32))

    def observe(self, state):
        return jnp.stack([state.x, state.v])

    def step(self, state, action):
        force = jnp.clip(action, -1.0, 1.0)
        v = state.v + force * self.power - 0.0025 * jnp.cos(3 * state.x)
        v = jnp.clip(v, -0.07, 0.07)
        x = jnp.clip(state.x + v, -1.2, 0.6)
        new = EnvState(x, v, state.t + 1)
        terminated = x >= self.goal
        truncated = new.t >= self.max_steps
        done = terminated | truncated
        reward = jnp.where(terminated, 100.0, 0.0) - 0.1 * force**2
        return new, self.observe(new), reward, done
