"""Molecule property model."""
from collections.abc import Sequence

import flax.linen as nn


class ResidualBlock(nn.Module):
    width: int
    rate: float

    @nn.compact
    def __call__(self, x, training):
        h = nn.LayerNorm()(x)
        h = nn.gelu(nn.Dense(self.width)(h))
        h = nn.Dropout(rate=self.rate, deterministic=not training)(h)  # mistake
        h = nn.Dense(x.shape[-1])(h)
        return x + h


class PropertyNet(nn.Module):
    widths: Sequence[int] = (32,)
    rate: float = 0.1
    use_skip_norm: bool = True

    @nn.compact
    def __call__(self, x, training):
        x = nn.Dense(16)(x)
        for width in self.widths:
            x = ResidualBlock(width, self.rate)(x, training)
        if self.use_skip_norm:
            x = nn.LayerNorm()(x)
        return nn.Dense(1)(x)[..., 0]
