from functools import partial

import jax
import jax.numpy as jnp

from env import SlopeWalker
from rollout import collect, total_reward

POPULATION = 32
EPISODES = 16


def linear_policy(params, observation):
    return observation @ params["gain"] + params["bias"]


@partial(jax.jit, static_argnums=0)
def score(env, params, keys):
    runs = jax.vmap(lambda key: collect(env, linear_policy, params, key, 100))(keys)
    return jnp.mean(total_reward(runs))


def perturb(key, params, scale):
    gain_key, bias_key = jax.random.split(key)
    return {
        "gain": params["gain"] + scale * jax.random.normal(gain_key, (2,)),
        "bias": params["bias"] + scale * jax.random.normal(bias_key, ()),
    }


def main():
    env = SlopeWalker()
    params = {"gain": jnp.zeros(2), "bias": jnp.zeros(())}
    first_key, search_key = jax.random.split(jax.random.key(3))
    best = score(env, params, jax.random.split(first_key, EPISODES))
    print("before", best)
    for key in jax.random.split(search_key, POPULATION):
        perturb_key, episodes_key = jax.random.split(key)
        candidate = perturb(perturb_key, params, 0.5)
        value = score(env, candidate, jax.random.split(episodes_key, EPISODES))
        if value > best:
            params, best = candidate, value
    print("after", best, params)


if __name__ == "__main__":
    main()
