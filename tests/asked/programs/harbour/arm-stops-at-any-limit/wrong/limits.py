from typing import NamedTuple

import jax
import jax.numpy as jnp


class JointLimits(NamedTuple):
    lower: jax.Array
    upper: jax.Array
    torque: jax.Array


def default_limits(num_joints: int) -> JointLimits:
    return JointLimits(
        lower=jnp.full((num_joints,), -2.0),
        upper=jnp.full((num_joints,), 2.0),
        torque=jnp.linspace(8.0, 4.0, num_joints),
    )


def outside(limits: JointLimits, angles: jax.Array) -> jax.Array:
    return (angles < limits.lower) | (angles > limits.upper)


def saturate(limits: JointLimits, torque: jax.Array) -> jax.Array:
    return jnp.clip(torque, -limits.torque, limits.torque)
