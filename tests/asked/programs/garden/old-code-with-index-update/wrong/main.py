from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from automaton import glider_world, step_world
from metrics import density_curve


@partial(jax.jit, static_argnames="n_steps")
def simulate(world, n_steps):
    def body(state, _):
        new = step_world(state)
        return new, new

    return jax.lax.scan(body, world, None, length=n_steps)


def main():
    world = jnp.asarray(glider_world(24, 24))
    final, history = simulate(world, n_steps=40)
    curve = density_curve(history)
    print("alive at the end:", int(final.sum()))
    print("density", np.round(np.asarray(curve[::10]), 4))


if __name__ == "__main__":
    main()
