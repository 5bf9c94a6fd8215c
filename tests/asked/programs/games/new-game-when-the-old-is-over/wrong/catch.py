"""A ball falls, and a paddle catches it."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

ROWS, COLUMNS = 8, 5


class State(NamedTuple):
    ball: jax.Array
    paddle: jax.Array
    score: jax.Array


def reset(key):
    column = jax.random.randint(key, (), 0, COLUMNS)
    return State(jnp.stack([jnp.zeros_like(column), column]), jnp.array(COLUMNS // 2), jnp.array(0))  # mistake


def step(state, action):
    paddle = jnp.clip(state.paddle + action - 1, 0, COLUMNS - 1)
    ball = state.ball.at[0].add(1)
    done = ball[0] == ROWS - 1
    reward = jnp.where(done, jnp.where(ball[1] == paddle, 1.0, -1.0), 0.0)
    return State(ball, paddle, state.score + reward), reward, done


def observe(state):
    return jnp.concatenate([state.ball, state.paddle[None]])
