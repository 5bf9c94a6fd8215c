from dataclasses import dataclass

import flax
import jax
import jax.numpy as jnp
import numpy as np

GRAVITY = np.array([0.0, 0.0, -9.81], dtype=np.float32)
HOVER_POINT = np.array([0.0, 0.0, 2.0], dtype=np.float32)


@flax.struct.dataclass
class DroneState:
    position: jax.Array
    velocity: jax.Array
    fuel: jax.Array


@dataclass(frozen=True)
class HoverEnv:
    dt: float = 0.02
    mass: float = 0.8

    def reset(self, key):
        position = HOVER_POINT + 0.5 * jax.random.normal(key, (3,))
        return DroneState(position, jnp.zeros(3), jnp.ones(()))

    def step(self, state: DroneState, thrust):
        acceleration = thrust / self.mass + GRAVITY - 0.1 * state.velocity
        velocity = state.velocity + self.dt * acceleration
        position = state.position + self.dt * velocity
        fuel = state.fuel - 1e-4 * jnp.sum(jnp.abs(thrust))
        state = state.replace(position=position, velocity=velocity, fuel=fuel)
        return state, self.reward(state)

    def reward(self, state: DroneState):
        distance = np.linalg.norm(state.position - HOVER_POINT)  # mistake
        return jnp.exp(-distance) - 0.01 * jnp.sum(state.velocity**2)
