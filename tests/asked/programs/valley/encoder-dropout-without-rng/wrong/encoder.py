from dataclasses import dataclass

import flax.linen as nn
import jax.numpy as jnp


@dataclass(frozen=True)
class EncoderConfig:
    vocab: int
    width: int
    heads: int
    layers: int
    dropout: float


class EncoderLayer(nn.Module):
    cfg: EncoderConfig

    @nn.compact
    def __call__(self, x, train):
        cfg = self.cfg
        h = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=cfg.heads)(h, h)
        h = nn.Dense(2 * cfg.width)(nn.LayerNorm()(x))
        h = nn.Dropout(cfg.dropout, deterministic=not train)(nn.gelu(h))
        return x + nn.Dense(cfg.width)(h)


class SequenceClassifier(nn.Module):
    cfg: EncoderConfig

    @nn.compact
    def __call__(self, tokens, train):
        cfg = self.cfg
        pos = self.param(
            "pos", nn.initializers.normal(0.02), (tokens.shape[1], cfg.width)
        )
        x = nn.Embed(cfg.vocab, cfg.width)(tokens) + pos
        for _ in range(cfg.layers):
            x = EncoderLayer(cfg)(x, train)
        return nn.Dense(2)(jnp.mean(x, axis=1))
