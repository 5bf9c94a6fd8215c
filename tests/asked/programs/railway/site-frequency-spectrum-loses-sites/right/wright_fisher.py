from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("population", "generations"))
def evolve(key, frequencies, population, generations):
    size = 2.0 * population

    def generation(p, key):
        step = jnp.sqrt(p * (1.0 - p) / size) * jax.random.normal(key, p.shape)
        p = jnp.clip(p + step, 0.0, 1.0)
        p = jnp.where(p < 0.5 / size, 0.0, jnp.where(p > 1.0 - 0.5 / size, 1.0, p))
        return p, None

    keys = jax.random.split(key, generations)
    return jax.lax.scan(generation, frequencies, keys)[0]
