from typing import NamedTuple

import jax
import jax.numpy as jnp


class ChainState(NamedTuple):
    position: jax.Array
    log_prob: jax.Array
    accepted: jax.Array


class RandomWalkMetropolis:
    def __init__(self, log_density, step_size=0.1):
        self.log_density = log_density
        self.step_size = step_size

    def init(self, position) -> ChainState:
        return ChainState(position, self.log_density(position), jnp.zeros((), jnp.int32))

    def step(self, state: ChainState, key):
        key_move, key_accept = jax.random.split(key)
        proposal = state.position + self.step_size * jax.random.normal(key_move, state.position.shape)
        log_prob = self.log_density(proposal)
        log_u = jnp.log(jax.random.uniform(key_accept))
        moved = ChainState(proposal, log_prob, state.accepted + 1)
        accept = log_u < log_prob - state.log_prob
        state = jax.tree.map(lambda new, old: jnp.where(accept, new, old), moved, state)
        return state, state.position

    def run(self, key, position, num_samples: int):
        keys = jax.random.split(key, num_samples)
        return jax.lax.scan(self.step, self.init(position), keys)
