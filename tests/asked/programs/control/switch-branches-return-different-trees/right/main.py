"""Fly a sequence of manoeuvres."""
import jax
import jax.numpy as jnp

import manoeuvres


@jax.jit
def fly(state, plan):
    def step(state, which):
        state = jax.lax.switch(which, manoeuvres.ALL, state)
        return state, state[:2]

    return jax.lax.scan(step, state, plan)


def main():
    plan = jnp.array([1, 1, 2, 0, 2])
    state, path = fly(jnp.array([0.0, 0.0, 1.0, 0.0]), plan)
    print(state.shape, path.shape, round(float(path[-1, 1]), 2))


if __name__ == "__main__":
    main()
