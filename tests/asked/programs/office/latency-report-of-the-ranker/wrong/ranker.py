import jax
import jax.numpy as jnp
import numpy as np


def init_ranker(key, width, depth):
    keys = jax.random.split(key, depth)
    return jnp.stack([jax.random.normal(k, (width, width)) / np.sqrt(width) for k in keys])


@jax.jit
def rank(weights, candidates):
    def layer(h, w):
        return jax.nn.relu(h @ w) + h, None

    h, _ = jax.lax.scan(layer, candidates, weights)
    return jax.lax.top_k(h.mean(axis=-1), 10)
