"""A particle on a spring."""

from typing import NamedTuple

import jax.numpy as jnp


class Particle(NamedTuple):
    mass: float
    stiffness: float
    position: float
    speed: float


def energy(p):
    return 0.5 * p.mass * p.speed**2 + 0.5 * p.stiffness * p.position**2


def kick(p, dt):
    force = -p.stiffness * p.position
    speed = p.speed + dt * force / p.mass
    return p._replace(speed=speed, position=p.position + dt * speed)


def period(p):
    return 2 * jnp.pi * jnp.sqrt(p.mass / p.stiffness)
