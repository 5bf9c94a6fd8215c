from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from energy import forces, total_energy


class MDState(NamedTuple):
    position: jax.Array
    velocity: jax.Array
    force: jax.Array


def lattice(n_side, spacing, rng):
    axis = np.arange(n_side) * spacing
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
    return (grid + 0.05 * rng.normal(size=grid.shape)).astype(np.float32)


def verlet(state, dt):
    half = state.velocity + 0.5 * dt * state.force
    position = state.position + dt * half
    force = forces(position)
    return MDState(position, half + 0.5 * dt * force, force)


@partial(jax.jit, static_argnames="n_steps")
def run(state, n_steps, dt=0.005):
    def body(state, _):
        state = verlet(state, dt)
        kinetic = 0.5 * (state.velocity**2).sum()
        return state, kinetic + total_energy(state.position)

    return jax.lax.scan(body, state, None, length=n_steps)


def main():
    position = jnp.asarray(lattice(2, 1.1, np.random.default_rng(0)))
    state = MDState(position, jnp.zeros_like(position), forces(position))
    state, energy = run(state, 300)
    print("largest force", float(jnp.abs(state.force).max()))
    print("energy first and last", round(float(energy[0]), 4), round(float(energy[-1]), 4))


if __name__ == "__main__":
    main()
