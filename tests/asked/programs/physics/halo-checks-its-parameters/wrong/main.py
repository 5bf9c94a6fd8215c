"""Fit the mass of a halo to a rotation curve."""

import jax
import jax.numpy as jnp
from profiles import Disk, Halo

RADII = jnp.linspace(2.0, 25.0, 12)


def curve(theta):
    halo = Halo(mass=jnp.exp(theta["log_mass"]), radius=jnp.exp(theta["log_radius"]))  # mistake
    disk = Disk(mass=4e10, scale=3.0)
    return jnp.hypot(halo.circular_velocity(RADII), disk.circular_velocity(RADII))


@jax.jit
def negative_log_likelihood(theta, velocities):
    return 0.5 * jnp.mean(((velocities - curve(theta)) / 5.0) ** 2)


def observed(key):
    halo = Halo(mass=6e11, radius=16.0)
    disk = Disk(mass=4e10, scale=3.0)
    exact = jnp.hypot(halo.circular_velocity(RADII), disk.circular_velocity(RADII))
    return exact + 2.0 * jax.random.normal(key, exact.shape)


def main():
    velocities = observed(jax.random.key(0))
    theta = {"log_mass": jnp.log(4e11), "log_radius": jnp.log(14.0)}
    slope = jax.jit(jax.grad(negative_log_likelihood))
    before = negative_log_likelihood(theta, velocities)
    for _ in range(200):
        theta = jax.tree.map(lambda t, g: t - 2e-3 * jnp.clip(g, -5, 5), theta, slope(theta, velocities))
    after = negative_log_likelihood(theta, velocities)
    print("better", bool(after < before))


if __name__ == "__main__":
    main()
