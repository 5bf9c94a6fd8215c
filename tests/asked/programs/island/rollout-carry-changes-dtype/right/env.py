from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class EnvParams:
    dt: float = 0.02
    max_position: float = 2.0
    force_scale: float = 3.0


class CartEnv:
    obs_dim = 2

    def __init__(self, params: EnvParams):
        self.params = params

    def reset(self, key):
        return jax.random.uniform(key, (2,), minval=-0.5, maxval=0.5)

    def step(self, state, action):
        p = self.params
        position, velocity = state
        velocity = velocity + p.dt * (p.force_scale * action - 0.1 * velocity)
        position = position + p.dt * velocity
        done = jnp.abs(position) > p.max_position
        reward = 1.0 - position**2 - 0.01 * action**2
        return jnp.stack([position, velocity]), reward, done
