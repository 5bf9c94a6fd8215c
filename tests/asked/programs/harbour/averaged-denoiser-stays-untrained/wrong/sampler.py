from functools import partial

import jax
import jax.numpy as jnp

from denoiser import NUM_LEVELS, alpha_bar


@partial(jax.jit, static_argnums=(0, 3))
def draw(apply, params, key, count):
    def lower(x, level):
        levels = jnp.full((count,), level)
        kept, after = alpha_bar(level), jnp.where(level > 0, alpha_bar(level - 1), 1.0)
        noise = apply(params, x, levels)
        clean = jnp.clip((x - jnp.sqrt(1.0 - kept) * noise) / jnp.sqrt(kept), -2.0, 2.0)
        return jnp.sqrt(after) * clean + jnp.sqrt(1.0 - after) * noise, None

    start = jax.random.normal(key, (count, 2))
    points, _ = jax.lax.scan(lower, start, jnp.arange(NUM_LEVELS - 1, -1, -1))
    return points
