from typing import NamedTuple

import jax
import jax.numpy as jnp


class Graph(NamedTuple):
    src: jax.Array
    dst: jax.Array
    n_nodes: int


def from_edge_list(edges, n_nodes: int) -> Graph:
    edges = jnp.asarray(edges)
    return Graph(edges[:, 0], edges[:, 1], n_nodes)
