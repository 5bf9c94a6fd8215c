from typing import Sequence

import flax.linen as nn
import jax.numpy as jnp


class Generator(nn.Module):
    widths: Sequence[int]
    out_dim: int

    @nn.compact
    def __call__(self, z):
        h = z
        for width in self.widths:
            h = nn.relu(nn.Dense(width)(h))
        return jnp.tanh(nn.Dense(self.out_dim)(h))


class Discriminator(nn.Module):
    widths: Sequence[int]

    @nn.compact
    def __call__(self, x):
        h = x
        for width in self.widths:
            h = nn.leaky_relu(nn.Dense(width)(h), 0.2)
        return nn.Dense(1)(h)[:, 0]
