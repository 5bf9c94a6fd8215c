"""A sampler of a diffusion model, with guidance."""

from functools import partial

import jax
import jax.numpy as jnp

STEPS = 12


def schedule():
    return jnp.cumprod(1.0 - jnp.linspace(1e-2, 0.3, STEPS))


def denoise(params, x, label, level):
    target = params["means"][label]
    guess = jnp.where(label < 0, params["means"].mean(axis=0), target)
    return (x - jnp.sqrt(level) * guess) / jnp.sqrt(1.0 - level)


@partial(jax.jit, static_argnames="count")
def sample(params, key, label, count, strength):
    levels = schedule()
    width = params["means"].shape[1]
    k_start, k_steps = jax.random.split(key)

    def body(x, inputs):
        k, level = inputs
        with_label = denoise(params, x, label, level)
        without = denoise(params, x, -1, level)
        noise = without + strength * (with_label - without)
        clean = (x - jnp.sqrt(1.0 - level) * noise) / jnp.sqrt(level)
        fresh = jax.random.normal(k, x.shape)
        return 0.7 * clean + 0.1 * fresh, jnp.abs(clean).mean()

    start = jax.random.normal(k_start, (count, width))
    x, _ = jax.lax.scan(body, start, (jax.random.split(k_steps, STEPS), levels[::-1]))
    return x
