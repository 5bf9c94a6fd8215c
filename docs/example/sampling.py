"""Random numbers, masks and sizes: what everyone writes once. `jaxlint check docs/example` tells what is wrong with it."""

import jax
import jax.numpy as jnp


def initialise(seed, width):
    key = jax.random.PRNGKey(seed)
    weights = jax.random.normal(key, (width, 1))
    bias = jax.random.normal(key, (1,))
    return weights, bias


@jax.jit
def clip(x, count):
    print("mean before", x.mean())
    x = x.at[x < 0].set(0.0)
    return x + jnp.arange(count)
