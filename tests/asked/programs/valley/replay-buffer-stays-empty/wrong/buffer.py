from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class ReplayBuffer(NamedTuple):
    contexts: jax.Array
    actions: jax.Array
    rewards: jax.Array
    size: jax.Array


def create(capacity: int, dim: int) -> ReplayBuffer:
    return ReplayBuffer(
        contexts=jnp.zeros((capacity, dim)),
        actions=jnp.zeros((capacity,), jnp.int32),
        rewards=jnp.zeros((capacity,)),
        size=jnp.zeros((), jnp.int32),
    )


@jax.jit
def add(buffer: ReplayBuffer, context, action, reward) -> ReplayBuffer:
    i = buffer.size % buffer.rewards.shape[0]
    buffer.contexts.at[i].set(context)  # mistake
    return buffer._replace(
        actions=buffer.actions.at[i].set(action),
        rewards=buffer.rewards.at[i].set(reward),
        size=buffer.size + 1,
    )


@partial(jax.jit, static_argnames="batch")
def sample(buffer: ReplayBuffer, key, batch: int):
    limit = jnp.minimum(buffer.size, buffer.rewards.shape[0])
    idx = jax.random.randint(key, (batch,), 0, limit)
    return buffer.contexts[idx], buffer.actions[idx], buffer.rewards[idx]
