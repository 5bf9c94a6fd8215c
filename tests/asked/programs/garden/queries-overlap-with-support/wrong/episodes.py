from typing import NamedTuple

import jax
import jax.numpy as jnp


class EpisodeConfig(NamedTuple):
    n_way: int
    n_support: int
    n_query: int


def draw_items(key, n_items, cfg: EpisodeConfig):
    total = cfg.n_support + cfg.n_query
    rows = jax.random.choice(key, n_items, (total,))  # mistake
    return rows[: cfg.n_support], rows[cfg.n_support :]


def sample_episode(key, data, cfg: EpisodeConfig):
    class_key, item_key = jax.random.split(key)
    classes = jax.random.permutation(class_key, data.shape[0])[: cfg.n_way]
    keys = jax.random.split(item_key, cfg.n_way)
    support_rows, query_rows = jax.vmap(lambda k: draw_items(k, data.shape[1], cfg))(keys)
    support = data[classes[:, None], support_rows]
    query = data[classes[:, None], query_rows]
    same = query_rows[:, :, None] == support_rows[:, None, :]
    return support, query, jnp.sum(same.any(axis=-1))
