from functools import partial

import jax
import jax.numpy as jnp


def init_params(key, vocabulary, width):
    key_table, key_mix = jax.random.split(key)
    return {
        "table": 0.1 * jax.random.normal(key_table, (vocabulary, width)),
        "mix": jax.random.normal(key_mix, (width, width)) / jnp.sqrt(width),
    }


def positions(length, width):
    """Sines and cosines of the position, at frequencies that fall off."""
    position = jnp.arange(length, dtype=jnp.float32)[:, None]
    frequency = jnp.exp(-jnp.log(10_000.0) * jnp.arange(width // 2) / (width // 2))
    angle = position * frequency
    return jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], axis=-1)


@partial(jax.jit, static_argnames="length")
def encode(params, tokens, length):
    width = params["table"].shape[1]
    hidden = params["table"][tokens] + positions(length, width)
    return jax.nn.gelu(hidden @ params["mix"])
