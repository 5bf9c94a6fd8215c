from typing import NamedTuple

import jax
import jax.numpy as jnp


class TeamParams(NamedTuple):
    gain: jax.Array
    noise_scale: jax.Array


class Team:
    """Independent continuous control agents that share the code but not the parameters."""

    def __init__(self, num_agents: int, action_dim: int):
        self.num_agents = num_agents
        self.action_dim = action_dim

    def init(self, key):
        keys = jax.random.split(key, self.num_agents)
        gain = jax.vmap(lambda k: 0.1 * jax.random.normal(k, (self.action_dim,)))(keys)
        return TeamParams(gain, jnp.full(self.num_agents, 0.3))

    def _agent_action(self, params, obs, key):
        mean = jnp.tanh(params.gain * obs)
        return mean + params.noise_scale * jax.random.normal(key, mean.shape)

    def explore(self, params, obs, key):
        keys = jax.random.split(key, self.num_agents)
        return jax.vmap(self._agent_action)(params, obs, keys)

    def exploit(self, params, obs):
        return jax.vmap(lambda p, o: jnp.tanh(p.gain * o))(params, obs)
