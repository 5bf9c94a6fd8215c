"""A decoder with one block."""

import flax.linen as nn
import jax.numpy as jnp


class Decoder(nn.Module):
    vocabulary: int
    width: int = 24

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocabulary, self.width)(tokens)
        positions = self.param("positions", nn.initializers.normal(0.1), (64, self.width))
        x = x + positions[: tokens.shape[1]]
        mask = nn.make_causal_mask(x)  # mistake
        attended = nn.MultiHeadDotProductAttention(num_heads=2)(nn.LayerNorm()(x), mask=mask)  # mistake
        x = x + attended
        x = x + nn.Dense(self.width)(nn.gelu(nn.Dense(2 * self.width)(nn.LayerNorm()(x))))
        return nn.Dense(self.vocabulary)(x).astype(jnp.float32)
