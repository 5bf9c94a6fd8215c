from functools import partial

import jax
import jax.numpy as jnp

from epidemic import simulate


@partial(jax.jit, static_argnames="config")
def posterior_predictive(key, draws, config):
    keys = jax.random.split(key, draws["beta"].shape[0])

    def one(key_and_draw):
        key, draw = key_and_draw
        return simulate(key, draw, config)

    return jax.lax.map(one, (keys, draws), batch_size=20)


def summarise(cases):
    return jnp.quantile(cases, jnp.array([0.05, 0.5, 0.95]), axis=0)
