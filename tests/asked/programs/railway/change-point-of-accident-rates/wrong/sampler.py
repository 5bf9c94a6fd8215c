from functools import partial

import jax
import jax.numpy as jnp


def propose(key, params, scales):
    leaves, treedef = jax.tree.flatten(params)
    keys = jax.tree.unflatten(treedef, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda k, p, s: p + s * jax.random.normal(k), keys, params, scales)


@partial(jax.jit, static_argnames=("log_density", "n_samples"))
def random_walk(log_density, start, scales, key, n_samples):
    def step(carry, key):
        params, value = carry
        k_move, k_accept = jax.random.split(key)
        proposal = propose(k_move, params, scales)
        new_value = log_density(proposal)
        accept = jnp.log(jax.random.uniform(k_accept)) < new_value - value
        params = jax.tree.map(lambda new, old: jnp.where(accept, new, old), proposal, params)
        return (params, jnp.where(accept, new_value, value)), (params, accept)

    keys = jax.random.split(key, n_samples)
    _, (draws, accepts) = jax.lax.scan(step, (start, log_density(start)), keys)
    return draws, accepts.mean()
