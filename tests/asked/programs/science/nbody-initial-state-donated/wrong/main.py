"""Leapfrog integration of a small planetary system with energy bookkeeping."""
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class System(NamedTuple):
    position: jax.Array
    velocity: jax.Array


MASSES = jnp.array([1.0, 1e-3, 5e-4])
SOFTENING = 1e-3


def acceleration(position):
    separation = position[None, :, :] - position[:, None, :]
    squared = jnp.sum(separation**2, axis=-1) + SOFTENING**2
    weight = MASSES[None, :] * squared**-1.5
    return jnp.einsum("ij,ijk->ik", weight, separation)


@partial(jax.jit, donate_argnums=0)
def leapfrog(system: System, dt) -> System:
    half = system.velocity + 0.5 * dt * acceleration(system.position)
    position = system.position + dt * half
    velocity = half + 0.5 * dt * acceleration(position)
    return System(position, velocity)


@jax.jit
def total_energy(system: System):
    kinetic = 0.5 * jnp.sum(MASSES * jnp.sum(system.velocity**2, axis=-1))
    separation = system.position[None] - system.position[:, None]
    r = jnp.sqrt(jnp.sum(separation**2, axis=-1) + SOFTENING**2)
    pairs = jnp.triu(MASSES[:, None] * MASSES[None, :] / r, k=1)
    return kinetic - jnp.sum(pairs)


def circular_orbits(radii):
    position = jnp.array([[0.0, 0.0]] + [[r, 0.0] for r in radii])
    velocity = jnp.array([[0.0, 0.0]] + [[0.0, r**-0.5] for r in radii])
    return System(position, velocity)


def evolve(start: System, dt: float, steps: int) -> System:
    system = start
    for _ in range(steps):
        system = leapfrog(system, dt)  # mistake
    return system


def main():
    start = circular_orbits([1.0, 1.8])
    end = evolve(start, dt=0.01, steps=200)
    before, after = total_energy(start), total_energy(end)  # mistake
    print("planet 1 at", [f"{float(c):.2f}" for c in end.position[1]])
    print("energy conserved:", bool(abs(after - before) < 1e-4 * abs(before)))


if __name__ == "__main__":
    main()
