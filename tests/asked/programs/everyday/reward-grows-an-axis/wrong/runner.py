"""A point mass that is rewarded for running along the first axis."""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    position: jax.Array
    velocity: jax.Array
    obs: jax.Array
    reward: jax.Array
    done: jax.Array


class Runner:
    dt = 0.05

    def reset(self, key):
        position = 0.01 * jax.random.normal(key, (2,))
        velocity = jnp.zeros(2)
        return State(position, velocity, self._obs(position, velocity), jnp.zeros(()), jnp.zeros(()))

    def step(self, state, action):
        velocity = 0.9 * state.velocity + self.dt * action
        position = state.position + self.dt * velocity
        progress = (position[:1] - state.position[:1]) / self.dt  # mistake
        reward = progress - 0.1 * jnp.sum(action**2)
        done = jnp.where(jnp.abs(position[0]) > 10.0, 1.0, 0.0)
        return state.replace(position=position, velocity=velocity, obs=self._obs(position, velocity), reward=reward, done=done)  # mistake

    def _obs(self, position, velocity):
        return jnp.concatenate([position, velocity])
