from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from controller import GRAVITY, next_mode, thrust


class Flight(NamedTuple):
    body: tuple
    mode: jax.Array
    time: jax.Array


@partial(jax.jit, static_argnames="n_steps")
def fly(n_steps, dt):
    def step(state, _):
        height, speed = state.body
        push = jnp.clip(thrust(state.mode, height, speed), 0.0, 20.0)
        speed = speed + dt * (push - GRAVITY)
        height = jnp.maximum(height + dt * speed, 0.0)
        time = state.time + dt
        mode = next_mode(state.mode, height, time)
        return Flight((height, speed), mode, time), {"mode": mode, "height": height}

    start = Flight((jnp.zeros(()), jnp.zeros(())), jnp.int32(0), jnp.zeros(()))
    return jax.lax.scan(step, start, None, length=n_steps)
