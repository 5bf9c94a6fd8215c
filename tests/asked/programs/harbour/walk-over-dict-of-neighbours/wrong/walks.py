from functools import partial

import jax
import jax.numpy as jnp


class WalkSampler:
    def __init__(self, neighbours, length=20):
        self.neighbours = neighbours
        self.length = length

    def walk(self, key, start):
        def hop(node, step_key):
            options = self.neighbours[node]  # mistake
            choice = jax.random.randint(step_key, (), 0, options.shape[0])
            return options[choice], node

        _, visited = jax.lax.scan(hop, start, jax.random.split(key, self.length))
        return visited

    @partial(jax.jit, static_argnums=0)
    def sample(self, key, starts):
        keys = jax.random.split(key, starts.shape[0])
        return jax.vmap(self.walk)(keys, starts)


def visit_counts(walks, num_nodes):
    return jnp.zeros(num_nodes, jnp.int32).at[walks.reshape(-1)].add(1)
