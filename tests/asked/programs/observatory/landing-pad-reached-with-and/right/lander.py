from typing import NamedTuple

import jax
import jax.numpy as jnp


class LanderState(NamedTuple):
    height: jax.Array
    velocity: jax.Array
    fuel: jax.Array


class Lander:
    gravity = -1.6
    dt = 0.1

    def reset(self, key):
        height = 20.0 + jax.random.uniform(key, (), minval=-2.0, maxval=2.0)
        return LanderState(height, jnp.float32(0.0), jnp.float32(60.0))

    def step(self, state: LanderState, thrust):
        thrust = jnp.clip(thrust, 0.0, 4.0) * (state.fuel > 0)
        velocity = state.velocity + self.dt * (self.gravity + thrust)
        height = jnp.maximum(state.height + self.dt * velocity, 0.0)
        fuel = jnp.maximum(state.fuel - self.dt * thrust, 0.0)
        landed = (height <= 0.0) & (jnp.abs(velocity) < 1.0)
        reward = jnp.where(landed, 10.0, -0.01 * thrust)
        return LanderState(height, velocity, fuel), reward
