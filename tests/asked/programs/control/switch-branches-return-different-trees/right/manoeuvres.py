"""What a drone can do."""
import jax.numpy as jnp


def hover(state):
    return state.at[2:].multiply(0.5)


def climb(state):
    return state.at[1].add(0.2).at[3].set(1.0)


def turn(state):
    x, y, vx, vy = state
    return jnp.stack([x + 0.1 * vy, y, vy, -vx])


ALL = (hover, climb, turn)
