import jax
import jax.numpy as jnp


class VelocityVerlet:
    def __init__(self, potential, dt: float, mass: float = 1.0):
        self.potential = potential
        self.dt = dt
        self.mass = mass

    def acceleration(self, positions):
        return -jax.grad(self.potential)(positions) / self.mass

    def step(self, carry, _):
        positions, velocities = carry
        half = velocities + 0.5 * self.dt * self.acceleration(positions)
        positions = positions + self.dt * half
        velocities = half + 0.5 * self.dt * self.acceleration(positions)
        kinetic = 0.5 * self.mass * jnp.sum(velocities**2)
        return (positions, velocities), kinetic + self.potential(positions)

    def run(self, positions, velocities, num_steps: int):
        return jax.lax.scan(self.step, (positions, velocities), None, length=num_steps)
