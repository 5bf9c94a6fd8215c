import flax.linen as nn
import jax.numpy as jnp


class Block(nn.Module):
    num_heads: int
    dropout: float

    @nn.compact
    def __call__(self, x, mask, train: bool):
        h = nn.LayerNorm()(x)
        h = nn.MultiHeadDotProductAttention(self.num_heads)(h, h, mask=mask)
        x = x + nn.Dropout(self.dropout)(h, deterministic=not train)
        h = nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x))
        h = nn.Dense(x.shape[-1])(nn.gelu(h))
        return x + nn.Dropout(self.dropout)(h, deterministic=not train)


class CharTransformer(nn.Module):
    vocab_size: int
    d_model: int
    num_heads: int
    max_len: int
    dropout: float
    num_layers: int = 1

    @nn.compact
    def __call__(self, tokens, train: bool):
        pos = jnp.arange(tokens.shape[1])
        x = nn.Embed(self.vocab_size, self.d_model)(tokens)
        x = x + nn.Embed(self.max_len, self.d_model)(pos)
        mask = nn.make_causal_mask(tokens)
        for _ in range(self.num_layers):
            x = Block(self.num_heads, self.dropout)(x, mask, train)
        return nn.Dense(self.vocab_size)(nn.LayerNorm()(x))
