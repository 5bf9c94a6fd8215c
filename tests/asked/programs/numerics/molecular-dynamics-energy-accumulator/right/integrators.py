from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class MDState(NamedTuple):
    pos: jax.Array
    vel: jax.Array


def velocity_verlet(system, state: MDState, dt) -> MDState:
    half = state.vel + 0.5 * dt * system.force(state.pos)
    pos = state.pos + dt * half
    vel = half + 0.5 * dt * system.force(pos)
    return MDState(pos, vel)


def total_energy(system, state: MDState):
    return system.potential(state.pos) + 0.5 * jnp.sum(state.vel**2)


@partial(jax.jit, static_argnames=("system", "n_steps"))
def run_nve(system, state: MDState, dt, n_steps: int):
    def body(carry, _):
        state, total = carry
        state = velocity_verlet(system, state, dt)
        energy = total_energy(system, state)
        return (state, total + energy), energy

    (state, total), energies = jax.lax.scan(body, (state, jnp.zeros(())), None, length=n_steps)
    return state, total / n_steps, energies
