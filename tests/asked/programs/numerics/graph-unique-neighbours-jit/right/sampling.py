import jax
import jax.numpy as jnp


def sample_neighbours(key, table, seeds, fanout: int):
    cols = jax.random.randint(key, (seeds.shape[0], fanout), 0, table.shape[1])
    return table[seeds[:, None], cols]


def gather_subgraph(features, seeds, sampled):
    flat = jnp.concatenate([seeds, sampled.reshape(-1)])
    big = features.shape[0]
    nodes = jnp.unique(flat, size=flat.shape[0], fill_value=big)
    local = jnp.searchsorted(nodes, sampled)
    feats = jnp.where(nodes[:, None] < big, features[jnp.minimum(nodes, big - 1)], 0.0)
    return jnp.where(nodes < big, nodes, -1), feats, local
