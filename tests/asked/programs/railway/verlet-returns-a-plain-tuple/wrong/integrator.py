from functools import partial
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    positions: jax.Array
    velocities: jax.Array
    time: jax.Array


def verlet_step(potential: Callable, state: State, dt):
    force = jax.grad(lambda x: -potential(x))
    half = state.velocities + 0.5 * dt * force(state.positions)
    positions = state.positions + dt * half
    velocities = half + 0.5 * dt * force(positions)
    return positions, velocities, state.time + dt  # mistake


@partial(jax.jit, static_argnames=("potential", "n_steps"))
def integrate(potential, start, dt, n_steps):
    def body(state, _):
        energy = potential(state.positions) + 0.5 * jnp.sum(state.velocities**2)
        return verlet_step(potential, state, dt), energy  # mistake

    return jax.lax.scan(body, start, None, length=n_steps)  # mistake
