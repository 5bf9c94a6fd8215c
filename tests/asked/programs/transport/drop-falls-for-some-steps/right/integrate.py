"""Forward Euler."""

from functools import partial

import jax
from flow import acceleration


@partial(jax.jit, static_argnames="steps")
def forward_euler(position, velocity, drag, start, stop, steps):
    dt = (stop - start) / steps
    for _ in range(steps):
        velocity = velocity + dt * acceleration(position, velocity, drag)
        position = position + dt * velocity
    return position, velocity
