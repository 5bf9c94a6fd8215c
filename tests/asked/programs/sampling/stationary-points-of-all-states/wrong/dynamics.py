"""A switching linear system."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Dynamics(NamedTuple):
    weights: jax.Array  # states, dimensions, dimensions
    biases: jax.Array  # states, dimensions


def rotations(states, dimensions=2):
    angles = jnp.linspace(0.2, 1.2, states)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    weights = 0.9 * jnp.stack([jnp.stack([cos, -sin], -1), jnp.stack([sin, cos], -1)], -2)
    biases = jnp.stack([cos, -sin], -1)
    return Dynamics(weights, biases)


def stationary_points(dynamics):
    """The points that each state does not move."""
    matrices = jnp.eye(dynamics.biases.shape[-1]) - dynamics.weights
    return jnp.linalg.solve(matrices, dynamics.biases)  # mistake
