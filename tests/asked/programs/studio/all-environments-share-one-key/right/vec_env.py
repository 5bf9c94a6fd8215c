from functools import partial

import jax
import jax.numpy as jnp

import gridworld


class VecGridWorld:
    def __init__(self, n_envs, max_goal=gridworld.SIZE):
        self.n_envs = n_envs
        self.goal_limits = jnp.full((n_envs,), max_goal)

    def reset(self, key):
        keys = jax.random.split(key, self.n_envs)
        return jax.vmap(gridworld.reset)(keys, self.goal_limits)

    def step(self, states, actions):
        return jax.vmap(gridworld.step)(states, actions)


@partial(jax.jit, static_argnames=("env", "length"))
def collect(env, states, key, length):
    def body(states, step_key):
        greedy = jnp.argmax(
            (states.goal - states.agent)[:, None, :] @ gridworld.MOVES.T, axis=-1
        )[:, 0]
        explore_key, choice_key = jax.random.split(step_key)
        random = jax.random.randint(explore_key, (env.n_envs,), 0, 4)
        use_random = jax.random.bernoulli(choice_key, 0.2, (env.n_envs,))
        actions = jnp.where(use_random, random, greedy)
        states, reward = env.step(states, actions)
        return states, reward

    return jax.lax.scan(body, states, jax.random.split(key, length))
