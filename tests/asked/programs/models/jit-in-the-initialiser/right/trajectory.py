"""The path of an arm, through a given function of kinematics."""
from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp


def kinematics(angles):
    total = jnp.cumsum(angles)
    return jnp.stack([jnp.cos(total).sum(), jnp.sin(total).sum()])


class Trajectory(eqx.Module):
    angles: eqx.nn.Linear
    forward: Callable

    def __init__(self, forward, key):
        self.angles = eqx.nn.Linear(1, 3, key=key)
        self.forward = forward

    def __call__(self, time):
        return self.forward(self.angles(time))
