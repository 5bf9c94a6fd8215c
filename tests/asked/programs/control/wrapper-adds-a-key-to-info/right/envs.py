"""A point on a line, and a wrapper that counts."""
from typing import Any

import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    position: Any
    reward: Any
    done: Any
    info: dict


class PointEnv:
    def reset(self, start):
        return State(start, jnp.zeros(()), jnp.zeros(()), {"steps": jnp.zeros(())})

    def step(self, state, action):
        position = state.position + 0.1 * action
        done = (jnp.abs(position) > 1.0).astype(jnp.float32)
        info = {**state.info, "steps": state.info["steps"] + 1.0}
        return state.replace(position=position, reward=-jnp.abs(position), done=done, info=info)


class ReturnWrapper:
    def __init__(self, env):
        self.env = env

    def reset(self, start):
        state = self.env.reset(start)
        return state.replace(info={**state.info, "total": jnp.zeros(())})

    def step(self, state, action):
        following = self.env.step(state, action)
        total = state.info["total"] + following.reward
        return following.replace(info={**following.info, "total": total})
