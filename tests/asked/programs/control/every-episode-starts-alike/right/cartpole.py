"""A cart that balances a pole, much simplified."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    angle: jax.Array
    velocity: jax.Array


def reset(key):
    values = jax.random.uniform(key, (3,), minval=-0.1, maxval=0.1)
    return State(*values)


def step(state, action):
    velocity = state.velocity + 0.1 * (2.0 * action - 1.0)
    angle = state.angle + 0.1 * velocity + 0.05 * state.angle
    return State(state.position + 0.1 * velocity, angle, velocity), jnp.abs(angle) > 0.4
