"""Forward Euler."""

import jax
from flow import acceleration


@jax.jit
def forward_euler(position, velocity, drag, start, stop, steps):
    dt = (stop - start) / steps
    for _ in range(steps):  # mistake
        velocity = velocity + dt * acceleration(position, velocity, drag)
        position = position + dt * velocity
    return position, velocity
