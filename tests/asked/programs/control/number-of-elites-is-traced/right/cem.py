"""The cross-entropy method."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="elites")
def iterate(key, mean, std, target, elites):
    samples = mean + std * jax.random.normal(key, (64, mean.shape[0]))
    costs = jnp.sum((samples - target) ** 2, axis=-1)
    order = jnp.argsort(costs)
    best = samples[order[:elites]]
    return best.mean(0), best.std(0) + 1e-3
