from typing import NamedTuple

import jax
import jax.numpy as jnp

MAX_STEPS = 50


class State(NamedTuple):
    position: jax.Array
    speed: jax.Array
    n_steps: jax.Array


def reset(key):
    position = jax.random.uniform(key, minval=-0.5, maxval=0.5)
    return State(position, speed=jnp.zeros(()), n_steps=jnp.zeros((), dtype=jnp.int32))


def observe(state):
    return jnp.stack([state.position, state.speed])


def step(state, action):
    speed = 0.95 * state.speed + 0.1 * action
    position = state.position + 0.1 * speed
    n_steps = state.n_steps.astype(jnp.int32) + 1
    reward = 1.0 - position**2
    done = (jnp.abs(position) > 1.0) | (n_steps >= MAX_STEPS)
    return State(position, speed, n_steps), reward, done
