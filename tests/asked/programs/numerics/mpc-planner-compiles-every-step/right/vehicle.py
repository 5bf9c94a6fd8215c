from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class BicycleModel:
    wheelbase: float
    dt: float

    def step(self, state, action):
        x, y, heading, speed = state
        steer, accel = action
        deriv = jnp.stack([
            speed * jnp.cos(heading),
            speed * jnp.sin(heading),
            speed * jnp.tan(0.5 * jnp.tanh(steer)) / self.wheelbase,
            accel,
        ])
        return state + self.dt * deriv
