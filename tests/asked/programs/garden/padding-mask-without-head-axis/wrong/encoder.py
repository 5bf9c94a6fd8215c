import jax.numpy as jnp
from flax import linen as nn

from config import EncoderConfig


class EncoderLayer(nn.Module):
    cfg: EncoderConfig

    @nn.compact
    def __call__(self, x, valid):
        y = nn.LayerNorm()(x)
        attention = nn.MultiHeadDotProductAttention(num_heads=self.cfg.heads)
        x = x + attention(y, y, mask=valid)  # mistake
        y = nn.Dense(4 * self.cfg.width)(nn.LayerNorm()(x))
        return x + nn.Dense(self.cfg.width)(nn.gelu(y))


class IntentClassifier(nn.Module):
    cfg: EncoderConfig

    @nn.compact
    def __call__(self, tokens):
        cfg = self.cfg
        valid = tokens != cfg.pad_id
        x = nn.Embed(cfg.vocab_size, cfg.width)(tokens)
        x = x + nn.Embed(cfg.max_len, cfg.width)(jnp.arange(tokens.shape[1]))
        for _ in range(cfg.layers):
            x = EncoderLayer(cfg)(x, valid)
        weights = valid[..., None].astype(x.dtype)
        pooled = (x * weights).sum(axis=1) / weights.sum(axis=1)
        return nn.Dense(cfg.n_intents)(pooled)
