from typing import NamedTuple

import jax
import jax.numpy as jnp


class WalkerState(NamedTuple):
    position: jax.Array
    velocity: jax.Array
    key: jax.Array


class SlopeWalker:
    def __init__(self, slope=0.2, dt=0.05):
        self.slope = slope
        self.dt = dt

    def reset(self, key):
        start_key, key = jax.random.split(key)
        position = jax.random.uniform(start_key, (), minval=-1.0, maxval=1.0)
        return WalkerState(position, jnp.zeros(()), key)

    def observe(self, state):
        return jnp.stack([state.position, state.velocity])

    def step(self, state, action):
        push = jnp.clip(action, -1.0, 1.0) - self.slope
        velocity = 0.98 * state.velocity + self.dt * push
        position = state.position + self.dt * velocity
        reward = -(position**2) - 0.01 * action**2
        return state._replace(position=position, velocity=velocity), reward
