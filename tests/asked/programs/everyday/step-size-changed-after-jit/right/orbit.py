"""A planet around a star in the plane."""
import jax.numpy as jnp


class Orbit:
    def __init__(self, dt, mass=1.0):
        self.dt = dt
        self.mass = mass

    def step(self, state, dt):
        position, velocity = state[:2], state[2:]
        distance = jnp.sqrt(jnp.sum(position**2))
        velocity = velocity - dt * self.mass * position / distance**3
        return jnp.concatenate([position + dt * velocity, velocity])
