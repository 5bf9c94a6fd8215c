import jax.numpy as jnp
import numpy as np


def small_world(num_nodes, degree, seed=0):
    rng = np.random.default_rng(seed)
    neighbours = {}
    for node in range(num_nodes):
        ring = [(node + offset) % num_nodes for offset in range(1, degree)]
        shortcut = int(rng.integers(num_nodes))
        neighbours[node] = jnp.array(ring + [shortcut])
    return neighbours


def neighbour_table(neighbours):
    return jnp.stack([neighbours[node] for node in sorted(neighbours)])
