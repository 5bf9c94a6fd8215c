from functools import partial

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

from pendulum import episode_return


def init_policy(key, hidden: int):
    k1, k2 = jax.random.split(key)
    params = {
        "w1": 0.5 * jax.random.normal(k1, (3, hidden)),
        "b1": jnp.zeros(hidden),
        "w2": 0.5 * jax.random.normal(k2, (hidden,)),
    }
    return ravel_pytree(params)


def centered_ranks(x):
    ranks = jnp.argsort(jnp.argsort(x))
    return ranks / (x.shape[0] - 1) - 0.5


@partial(jax.jit, static_argnames=("sigma", "popsize", "unravel"))  # mistake
def generation(theta, key, lr, *, sigma, popsize: int, unravel):
    k_noise, k_start = jax.random.split(key)
    half = jax.random.normal(k_noise, (popsize // 2, theta.shape[0]))
    noise = jnp.concatenate([half, -half])
    start = jax.random.uniform(k_start, (popsize // 2, 2), minval=-1.0, maxval=1.0)
    starts = jnp.tile(start + jnp.array([jnp.pi, 0.0]), (2, 1))
    candidates = jax.vmap(unravel)(theta + sigma * noise)
    returns = jax.vmap(episode_return)(candidates, starts)
    grad = centered_ranks(returns) @ noise / (popsize * sigma)
    return theta + lr * grad, returns.mean()
