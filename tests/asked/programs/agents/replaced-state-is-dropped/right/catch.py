"""Rules of the game."""
import jax
import jax.numpy as jnp

HEIGHT = 5


def move(state, action):
    paddle = jnp.clip(state.paddle + action, 0, 4)
    return state.replace(paddle=paddle, time=state.time + 1)


def judge(state):
    caught = (state.time % HEIGHT == 0) & (state.paddle == state.ball)
    return state.replace(score=state.score + caught)


@jax.jit
def step(state, action):
    return judge(move(state, action))
