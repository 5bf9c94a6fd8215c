"""Unit vectors for items; item 0 is padding."""
import jax.numpy as jnp


def embed_items(params, items, mask):
    rows = params["table"][items] * mask[:, None]
    return rows / jnp.sqrt(jnp.sum(rows**2, axis=1, keepdims=True) + 1e-8)
