from typing import NamedTuple

import jax
import jax.numpy as jnp


class Transition(NamedTuple):
    obs: jax.Array
    action: jax.Array
    reward: jax.Array
    next_obs: jax.Array


class BufferState(NamedTuple):
    data: Transition
    cursor: jax.Array
    size: jax.Array


class UniformReplay:
    def __init__(self, capacity: int, batch_size: int):
        self.capacity = capacity
        self.batch_size = batch_size

    def init(self, example: Transition) -> BufferState:
        data = jax.tree.map(lambda x: jnp.zeros((self.capacity,) + x.shape, x.dtype), example)
        return BufferState(data, jnp.array(0), jnp.array(0))

    def add(self, state: BufferState, item: Transition) -> BufferState:
        data = jax.tree.map(lambda b, x: b.at[state.cursor].set(x), state.data, item)
        cursor = (state.cursor + 1) % self.capacity
        return BufferState(data, cursor, jnp.minimum(state.size + 1, self.capacity))

    def sample(self, state: BufferState, key: jax.Array) -> Transition:
        idx = jax.random.randint(key, (self.batch_size,), 0, state.size)
        return jax.tree.map(lambda b: b[idx], state.data)
