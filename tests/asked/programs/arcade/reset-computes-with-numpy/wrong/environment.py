"""A pendulum."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class State(NamedTuple):
    angle: jax.Array
    speed: jax.Array


class Pendulum:
    dt = 0.05

    def observe(self, state):
        return jnp.array([np.cos(state.angle), np.sin(state.angle), state.speed])  # mistake

    def reset(self, key):
        k_angle, k_speed = jax.random.split(key)
        angle = jnp.pi + 0.5 * jax.random.normal(k_angle)
        state = State(angle, 0.1 * jax.random.normal(k_speed))
        return state, self.observe(state)

    def step(self, state, action):
        torque = jnp.clip(action, -5.0, 5.0)
        speed = state.speed + self.dt * (10.0 * jnp.sin(state.angle) + torque)
        state = State(state.angle + self.dt * speed, speed)
        return state, self.observe(state), jnp.cos(state.angle)
