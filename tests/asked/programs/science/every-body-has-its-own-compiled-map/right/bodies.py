"""The motion of a point of a body."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp


def kinematics(angles):
    upper, lower = angles[0], angles[0] + angles[1]
    return jnp.array([jnp.cos(upper) + 0.8 * jnp.cos(lower), jnp.sin(upper) + 0.8 * jnp.sin(lower)])


class Body(eqx.Module):
    trajectory: eqx.nn.Linear
    scale: jax.Array
    forward: Callable

    def __init__(self, key):
        self.trajectory = eqx.nn.Linear(1, 2, key=key)
        self.scale = jnp.ones(())
        self.forward = kinematics

    def __call__(self, time):
        return self.scale * self.forward(self.trajectory(time))
