import flax.linen as nn
import jax.numpy as jnp


class EncoderBlock(nn.Module):
    dim: int
    num_heads: int
    dropout: float

    @nn.compact
    def __call__(self, x, mask, *, train: bool):
        y = nn.LayerNorm()(x)
        y = nn.MultiHeadDotProductAttention(num_heads=self.num_heads, qkv_features=self.dim)(y, y, mask=mask)
        x = x + nn.Dropout(self.dropout)(y, deterministic=not train)
        y = nn.LayerNorm()(x)
        y = nn.gelu(nn.Dense(2 * self.dim)(y))
        y = nn.Dense(self.dim)(y)
        return x + nn.Dropout(self.dropout)(y, deterministic=not train)


class TextClassifier(nn.Module):
    vocab_size: int
    num_classes: int
    dim: int = 32
    depth: int = 1
    dropout: float = 0.1

    @nn.compact
    def __call__(self, tokens, *, train: bool):
        valid = tokens > 0
        mask = nn.make_attention_mask(valid, valid)
        pos = self.param("pos", nn.initializers.normal(0.02), (tokens.shape[1], self.dim))
        x = nn.Embed(self.vocab_size, self.dim)(tokens) + pos
        for _ in range(self.depth):
            x = EncoderBlock(self.dim, 4, self.dropout)(x, mask, train=train)
        weights = valid[..., None].astype(x.dtype)
        pooled = jnp.sum(x * weights, axis=1) / jnp.maximum(weights.sum(axis=1), 1.0)
        return nn.Dense(self.num_classes)(pooled)
