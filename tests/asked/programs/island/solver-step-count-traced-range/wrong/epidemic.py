from typing import NamedTuple

import jax
import jax.numpy as jnp


class SIRParams(NamedTuple):
    log_beta: jax.Array
    log_gamma: jax.Array


def vector_field(params: SIRParams, y):
    s, i, _ = y
    infection = jnp.exp(params.log_beta) * s * i
    recovery = jnp.exp(params.log_gamma) * i
    return jnp.stack([-infection, infection - recovery, recovery])


@jax.jit  # mistake
def heun_solve(params, y0, dt, num_steps: int):
    y = y0
    saved = []
    for _ in range(num_steps):  # mistake
        slope = vector_field(params, y)
        end_slope = vector_field(params, y + dt * slope)
        y = y + 0.5 * dt * (slope + end_slope)
        saved.append(y)
    return jnp.stack(saved)
