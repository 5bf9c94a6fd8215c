from typing import NamedTuple

import jax
import jax.numpy as jnp


class Factors(NamedTuple):
    users: jax.Array
    items: jax.Array
    bias: jax.Array


def init_factors(key, num_users, num_items, dim):
    scale = 1.0 / jnp.sqrt(dim)
    return Factors(
        users=scale * jax.random.normal(key, (num_users, dim)),
        items=scale * jax.random.normal(key, (num_items, dim)),  # mistake
        bias=jnp.zeros(num_items),
    )


def score(factors, user, item):
    return factors.users[user] @ factors.items[item] + factors.bias[item]


def all_scores(factors):
    return factors.users @ factors.items.T + factors.bias
