"""Flight modes of a drone."""
import jax
import jax.numpy as jnp


def climb(state):
    return state.at[1].add(0.5)


def cruise(state):
    return state.at[0].add(1.0)


def land(state):
    return state.at[1].add(-0.5)


def choose(state, step):
    low = state[1] < 1.0
    return jnp.where(low & (step < 5), 0, 1)


def advance(state, step):
    mode = choose(state, step)
    return jax.lax.switch(mode, [climb, cruise, land], state), mode
