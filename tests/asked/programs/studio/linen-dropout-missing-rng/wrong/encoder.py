import flax.linen as nn


class EncoderBlock(nn.Module):
    heads: int
    dropout: float

    @nn.compact
    def __call__(self, x, deterministic):
        h = nn.LayerNorm()(x)
        h = nn.MultiHeadDotProductAttention(num_heads=self.heads)(h, h)
        x = x + nn.Dropout(self.dropout)(h, deterministic=deterministic)
        h = nn.LayerNorm()(x)
        h = nn.Dense(x.shape[-1])(nn.gelu(nn.Dense(2 * x.shape[-1])(h)))
        return x + nn.Dropout(self.dropout)(h, deterministic=deterministic)


class PeptideClassifier(nn.Module):
    vocab: int = 21
    dim: int = 16
    depth: int = 1
    dropout: float = 0.2

    @nn.compact
    def __call__(self, tokens, *, deterministic):
        x = nn.Embed(self.vocab, self.dim)(tokens)
        for _ in range(self.depth):
            x = EncoderBlock(heads=2, dropout=self.dropout)(x, deterministic)
        return nn.Dense(1)(x.mean(axis=1))[:, 0]
