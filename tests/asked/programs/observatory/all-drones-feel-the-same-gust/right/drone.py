from typing import NamedTuple

import jax
import jax.numpy as jnp


class Drone(NamedTuple):
    position: jax.Array
    velocity: jax.Array


def reset():
    return Drone(jnp.zeros(2), jnp.zeros(2))


def step(key, drone: Drone, command, dt=0.1):
    gust = 0.8 * jax.random.normal(key, (2,))
    velocity = 0.95 * drone.velocity + dt * (command + gust)
    position = drone.position + dt * velocity
    reward = -jnp.sum((position - jnp.array([1.0, -0.5])) ** 2)
    return Drone(position, velocity), reward


batched_step = jax.vmap(step)
