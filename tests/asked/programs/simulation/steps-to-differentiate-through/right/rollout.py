"""A linear system that is driven by a constant force."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="steps")
def roll_out(force, start, steps):
    def step(_, state):
        position, velocity = state
        velocity = velocity + 0.1 * (force - 0.5 * velocity - position)
        return position + 0.1 * velocity, velocity

    return jax.lax.fori_loop(0, steps, step, (start, jnp.zeros_like(start)))[0]
