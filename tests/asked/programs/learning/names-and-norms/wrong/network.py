"""A network of three layers whose parameters are in a dict."""
import jax
import jax.numpy as jnp


def init(key):
    keys = jax.random.split(key, 3)
    return {
        "stem": jax.random.normal(keys[0], (4, 6)),
        "body": jax.random.normal(keys[1], (6, 6)),
        "head": jnp.zeros((6, 1)),
    }


def forward(params, x):
    x = jnp.tanh(x @ params["stem"])
    x = jnp.tanh(x @ params["body"])
    return (x @ params["head"])[:, 0]
