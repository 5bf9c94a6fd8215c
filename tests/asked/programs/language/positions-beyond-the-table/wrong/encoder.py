"""Token and position embeddings."""
import jax
import jax.numpy as jnp

MAX_LENGTH = 8
WIDTH = 4


def init(key, vocabulary):
    k_token, k_position = jax.random.split(key)
    return {
        "token": jax.random.normal(k_token, (vocabulary, WIDTH)),
        "position": jax.random.normal(k_position, (MAX_LENGTH, WIDTH)),
    }


def embed(params, tokens):
    positions = jnp.arange(tokens.shape[-1])
    return params["token"][tokens] + params["position"][positions]  # mistake
