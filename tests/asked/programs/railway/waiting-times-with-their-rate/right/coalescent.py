from functools import partial

import jax
import jax.numpy as jnp

from demography import effective_size


def waiting_time(key, lineages, time, demography):
    pairs = 0.5 * lineages * (lineages - 1.0)
    rate = pairs / effective_size(demography, time)
    return jax.random.exponential(key) / rate


def one_tree(key, demography, n_samples):
    def coalesce(carry, key):
        time, lineages = carry
        time = time + waiting_time(key, lineages, time, demography)
        return (time, lineages - 1.0), time

    keys = jax.random.split(key, n_samples - 1)
    start = (jnp.zeros(()), jnp.full((), float(n_samples)))
    _, times = jax.lax.scan(coalesce, start, keys)
    return times


@partial(jax.jit, static_argnames=("n_trees", "n_samples"))
def simulate_trees(key, n_trees, demography, n_samples):
    keys = jax.random.split(key, n_trees)
    return jax.vmap(lambda k: one_tree(k, demography, n_samples))(keys)
