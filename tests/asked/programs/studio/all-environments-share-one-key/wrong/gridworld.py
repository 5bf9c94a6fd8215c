from typing import NamedTuple

import jax
import jax.numpy as jnp

SIZE = 8
MOVES = jnp.array([[0, 1], [0, -1], [1, 0], [-1, 0]])


class State(NamedTuple):
    agent: jax.Array
    goal: jax.Array
    t: jax.Array


def reset(key, max_goal):
    agent_key, goal_key = jax.random.split(key)  # mistake
    return State(
        agent=jax.random.randint(agent_key, (2,), 0, SIZE),
        goal=jax.random.randint(goal_key, (2,), 0, max_goal),
        t=jnp.zeros((), jnp.int32),
    )


def step(state, action):
    agent = jnp.clip(state.agent + MOVES[action], 0, SIZE - 1)
    found = jnp.all(agent == state.goal)
    return State(agent, state.goal, state.t + 1), found.astype(jnp.float32)
