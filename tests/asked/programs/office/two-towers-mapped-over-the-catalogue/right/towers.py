from typing import NamedTuple

import jax
import jax.numpy as jnp


class Towers(NamedTuple):
    user_proj: jax.Array
    item_proj: jax.Array


def init_towers(key, user_dim, item_dim, out_dim):
    ku, ki = jax.random.split(key)
    return Towers(
        jax.random.normal(ku, (user_dim, out_dim)) / user_dim**0.5,
        jax.random.normal(ki, (item_dim, out_dim)) / item_dim**0.5,
    )


def unit(x):
    return x / jnp.maximum(jnp.linalg.norm(x, axis=-1, keepdims=True), 1e-6)


def user_scores(user, towers, items, temperature):
    u = unit(user @ towers.user_proj)
    v = unit(items @ towers.item_proj)
    return v @ u / temperature


def recommend(users, towers, items, temperature, k):
    score_all = jax.vmap(user_scores, in_axes=(0, None, None, None))
    return jax.lax.top_k(score_all(users, towers, items, temperature), k)
