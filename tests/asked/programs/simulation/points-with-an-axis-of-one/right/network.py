"""A network of one variable."""
import jax
import jax.numpy as jnp


def init(key, width):
    keys = jax.random.split(key, 3)
    return {
        "in": jax.random.normal(keys[0], (width,)),
        "bias": jax.random.normal(keys[1], (width,)),
        "out": jax.random.normal(keys[2], (width,)) / width,
    }


def apply(params, x):
    return jnp.tanh(x[..., None] * params["in"] + params["bias"]) @ params["out"]
