from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

from policy import action_logits, state_value


@dataclass(frozen=True)
class ChainEnv:
    length: int

    def step(self, position, action):
        position = jnp.clip(position + 2 * action - 1, 0, self.length - 1)
        done = position == self.length - 1
        reward = jnp.where(done, 1.0, -0.02 * action)
        return jnp.where(done, 0, position), reward, done.astype(jnp.float32)


@partial(jax.jit, static_argnames=("env", "n_envs", "n_steps"))
def collect(env, params, key, n_envs, n_steps):
    def step(position, key):
        action = jax.random.categorical(key, action_logits(params, position))
        nxt, reward, done = env.step(position, action)
        record = {"obs": position, "action": action, "reward": reward, "done": done}
        return nxt, {**record, "value": state_value(params, position)}

    start = jnp.zeros(n_envs, dtype=jnp.int32)
    return jax.lax.scan(step, start, jax.random.split(key, n_steps))[1]
