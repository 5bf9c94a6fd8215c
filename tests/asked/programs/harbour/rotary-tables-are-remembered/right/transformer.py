import flax.linen as nn
import jax
import jax.numpy as jnp

from rotary import rotate


class CausalBlock(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        length, width = x.shape[-2:]
        h = nn.LayerNorm()(x)
        qkv = nn.DenseGeneral((3, self.heads, width // self.heads))(h)
        q, k, v = (qkv[..., i, :, :] for i in range(3))
        scores = jnp.einsum("bqhd,bkhd->bhqk", rotate(q), rotate(k)) / jnp.sqrt(q.shape[-1])
        visible = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(visible, scores, -1e9), axis=-1)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        x = x + nn.DenseGeneral(width, axis=(-2, -1))(mixed)
        return x + nn.Dense(width)(nn.gelu(nn.Dense(2 * width)(nn.LayerNorm()(x))))


class TinyLM(nn.Module):
    vocabulary: int
    width: int = 32
    depth: int = 1

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocabulary, self.width)(tokens)
        for _ in range(self.depth):
            x = CausalBlock(heads=4)(x)
        return nn.Dense(self.vocabulary)(nn.LayerNorm()(x))
