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


encoder = hk.without_apply_rng(hk.transform(lambda words: Codec().encode(words)))
decoder = hk.without_apply_rng(hk.transform(lambda codes: Codec().decode(codes)))


def init(key):
    k_encoder, k_decoder = jax.random.split(key)
    first = encoder.init(k_encoder, jnp.zeros(1, jnp.int32))
    second = decoder.init(k_decoder, jnp.zeros((1, 4)))  # mistake
    return {"encoder": first, "decoder": second}


def encode(params, words):
    return encoder.apply(params["encoder"], words)


def decode(params, codes):
    return decoder.apply(params["decoder"], codes)  # mistake
