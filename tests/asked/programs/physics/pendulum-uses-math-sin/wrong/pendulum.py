"""A driven pendulum."""
import math
from typing import NamedTuple

import jax

GRAVITY = 9.81


class Pendulum(NamedTuple):
    angle: jax.Array
    speed: jax.Array


def derivative(state, t, drive):
    torque = drive * math.cos(2.0 * t)  # mistake
    return Pendulum(state.speed, -GRAVITY * math.sin(state.angle) + torque)  # mistake


def midpoint(state, t, dt, drive):
    half = jax.tree.map(lambda s, d: s + 0.5 * dt * d, state, derivative(state, t, drive))
    return jax.tree.map(lambda s, d: s + dt * d, state, derivative(half, t + 0.5 * dt, drive))
