"""Readers that share what they know but not what they overlook."""

import flax.linen as nn
import jax.numpy as jnp


class Reader(nn.Module):
    width: int = 8

    @nn.compact
    def __call__(self, page):
        seen = nn.Dropout(0.3, deterministic=False)(page)
        words = nn.tanh(nn.Dense(self.width)(seen))
        return jnp.mean(words, axis=0)


class Readers(nn.Module):
    @nn.compact
    def __call__(self, pages):
        mapped = nn.vmap(
            Reader,
            variable_axes={"params": None},
            split_rngs={"params": False, "dropout": True},
        )
        return mapped()(pages)
