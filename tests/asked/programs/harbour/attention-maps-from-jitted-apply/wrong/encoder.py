import flax.linen as nn
import jax
import jax.numpy as jnp


class SelfAttention(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        width = x.shape[-1]
        project = lambda name: nn.DenseGeneral((self.heads, width // self.heads), name=name)(x)
        q, k, v = project("query"), project("key"), project("value")
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), axis=-1)
        self.sow("intermediates", "attention", weights)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        return nn.DenseGeneral(width, axis=(-2, -1), name="out")(mixed)


class SequenceEncoder(nn.Module):
    vocabulary: int
    width: int = 16
    heads: int = 2

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocabulary, self.width)(tokens)
        x = x + SelfAttention(self.heads, name="attend")(nn.LayerNorm()(x))
        return nn.Dense(1)(x.mean(axis=1)).squeeze(-1)
