"""Drive a rover until it is at the goal or its battery is empty."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Rover(NamedTuple):
    position: jax.Array
    battery: jax.Array
    steps: jax.Array


GOAL = jnp.array([2.0, 1.0])


def drive(rover):
    direction = GOAL - rover.position
    distance = jnp.linalg.norm(direction)
    move = 0.1 * direction / jnp.maximum(distance, 1e-6)
    return Rover(rover.position + move, rover.battery - 0.01 * distance, rover.steps + 1)


def is_driving(rover):
    far = jnp.linalg.norm(GOAL - rover.position) > 0.1
    charged = rover.battery > 0.0
    return far & charged


@jax.jit
def travel(start, battery):
    rover = Rover(start, battery, jnp.array(0))
    return jax.lax.while_loop(is_driving, drive, rover)


def report(rover):
    left = max(float(rover.battery), 0.0)
    print(f"{int(rover.steps)} steps, {left:.2f} of the battery left")


if __name__ == "__main__":
    for charge in (0.1, 1.0):
        report(travel(jnp.zeros(2), jnp.array(charge)))
