from functools import partial

import jax
import jax.numpy as jnp


def propagate(x, messages, dst):
    return x.at[dst].add(messages)


@partial(jax.jit, static_argnames=("n_nodes", "n_iter"))
def pagerank(src, dst, *, n_nodes: int, damping: float, n_iter: int = 60):
    out_degree = jnp.bincount(src, length=n_nodes)
    dangling = out_degree == 0

    def body(_, p):
        share = p / jnp.maximum(out_degree, 1)
        received = propagate(jnp.zeros_like(p), share[src], dst)
        lost = jnp.sum(jnp.where(dangling, p, 0.0))
        return (1.0 - damping) / n_nodes + damping * (received + lost / n_nodes)

    return jax.lax.fori_loop(0, n_iter, body, jnp.full(n_nodes, 1.0 / n_nodes))
