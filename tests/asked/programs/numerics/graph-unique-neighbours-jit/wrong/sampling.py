import jax
import jax.numpy as jnp


def sample_neighbours(key, table, seeds, fanout: int):
    cols = jax.random.randint(key, (seeds.shape[0], fanout), 0, table.shape[1])
    return table[seeds[:, None], cols]


def gather_subgraph(features, seeds, sampled):
    flat = jnp.concatenate([seeds, sampled.reshape(-1)])
    nodes = jnp.unique(flat)  # mistake
    local = jnp.searchsorted(nodes, sampled)
    return nodes, features[nodes], local
