from functools import partial

import jax
import jax.numpy as jnp

from env import Pendulums
from wrappers import AutoReset


def policy(obs, gain):
    return -gain * obs[:, 1] - 2.0 * jnp.sin(jnp.arctan2(obs[:, 2], obs[:, 0]))


@partial(jax.jit, static_argnames=("env", "n_steps"))
def rollout(env, key, gain, n_steps):
    k_init, k_steps = jax.random.split(key)
    state = env.reset(k_init)

    def step(state, key):
        state, reward, done = env.step(key, state, policy(env.observe(state), gain))
        return state, (reward, done)

    _, (rewards, dones) = jax.lax.scan(step, state, jax.random.split(k_steps, n_steps))
    return rewards.mean(), dones.sum()


if __name__ == "__main__":
    env = AutoReset(Pendulums(n_envs=16, max_steps=50))
    reward, episodes = rollout(env, jax.random.key(1), 0.5, n_steps=200)
    print("reward per step", round(float(reward), 4))
    print("finished episodes", int(episodes))
