from functools import partial

import jax
import jax.numpy as jnp

from rates import merger_rate


def one_history(key, n_samples, n_mergers):
    def merge(carry, key):
        time, lineages = carry
        time = time + jax.random.exponential(key) / merger_rate(lineages, 1.0)
        return (time, lineages - 1), None

    keys = jax.random.split(key, n_mergers)
    (time, _), _ = jax.lax.scan(merge, (jnp.zeros(()), n_samples), keys)
    return time


@partial(jax.jit, static_argnames=("n_trees", "n_mergers"))
def first_mergers(key, n_samples, n_trees, n_mergers):
    keys = jax.random.split(key, n_trees)
    return jax.vmap(lambda k: one_history(k, n_samples, n_mergers))(keys)
