"""Encoder and decoder."""

import haiku as hk
import jax
import jax.numpy as jnp


class Codec(hk.Module):
    def __init__(self):
        super().__init__(name="codec")
        self.embed = hk.Embed(16, 8, name="embed")
        self.bottleneck = hk.Linear(4, name="bottleneck")
        self.expand = hk.Linear(8, name="expand")

    def encode(self, words):
        return jnp.tanh(self.bottleneck(self.embed(words)))

    def decode(self, codes):
        """Compares with the embeddings of all words."""
        return self.expand(codes) @ self.embed(jnp.arange(16)).T


def both():
    codec = Codec()

    def first(words):
        return codec.decode(codec.encode(words))

    return first, (codec.encode, codec.decode)


model = hk.without_apply_rng(hk.multi_transform(both))
encoder, decoder = model.apply


def init(key):
    return model.init(key, jnp.zeros(1, jnp.int32))


def encode(params, words):
    return encoder(params, words)


def decode(params, codes):
    return decoder(params, codes)
