from functools import partial

import jax


def episode_return(env, policy, theta, key, params):
    def step(obs, _):
        obs, reward = env.step(obs, policy(theta, obs), params)
        return obs, reward

    start = env.reset(key, params)
    _, rewards = jax.lax.scan(step, start, None, length=params.max_steps_in_episode)
    return rewards.sum()


@partial(jax.jit, static_argnames=("env", "policy"))
def evaluate(env, policy, candidates, keys, params):
    run = partial(episode_return, env, policy)
    return jax.vmap(run, in_axes=(0, 0, None))(candidates, keys, params)
