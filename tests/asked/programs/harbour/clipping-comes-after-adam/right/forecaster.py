import flax.linen as nn
import jax.numpy as jnp


class SeriesTransformer(nn.Module):
    width: int = 16
    heads: int = 2

    @nn.compact
    def __call__(self, series):
        length = series.shape[1]
        positions = self.param("positions", nn.initializers.normal(0.1), (length, self.width))
        x = nn.Dense(self.width)(series[..., None]) + positions
        h = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=self.heads)(h, h)
        x = x + nn.Dense(self.width)(nn.gelu(nn.Dense(2 * self.width)(nn.LayerNorm()(x))))
        return nn.Dense(1)(jnp.mean(x, axis=1))[:, 0]
