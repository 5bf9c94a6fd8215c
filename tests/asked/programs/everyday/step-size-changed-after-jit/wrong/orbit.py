"""A planet around a star in the plane."""
import jax.numpy as jnp


class Orbit:
    def __init__(self, dt, mass=1.0):
        self.dt = dt
        self.mass = mass

    def step(self, state):
        position, velocity = state[:2], state[2:]
        distance = jnp.sqrt(jnp.sum(position**2))
        velocity = velocity - self.dt * self.mass * position / distance**3  # mistake
        return jnp.concatenate([position + self.dt * velocity, velocity])  # mistake
