"""A lander that falls until it touches the ground."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    height: jax.Array
    speed: jax.Array
    done: jax.Array


def reset(key, count):
    height = jax.random.uniform(key, (count,), minval=1.0, maxval=3.0)
    return State(height, jnp.zeros(count), jnp.zeros(count, bool))


def fall(state, thrust):
    speed = state.speed - 0.1 + thrust
    height = jnp.maximum(state.height + 0.1 * speed, 0.0)
    return State(height, speed, height <= 0.0)


def step(state, thrust):
    return jax.lax.cond(state.done, lambda s, t: s, fall, state, thrust)  # mistake
