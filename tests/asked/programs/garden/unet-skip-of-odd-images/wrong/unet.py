from typing import Sequence

import jax
import jax.numpy as jnp
from flax import linen as nn


class ConvBlock(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.width, (3, 3))(x)
        return nn.relu(x)


def upsample(x: jax.Array) -> jax.Array:
    return jnp.repeat(jnp.repeat(x, 2, axis=1), 2, axis=2)


class UNet(nn.Module):
    widths: Sequence[int] = (8, 16)

    @nn.compact
    def __call__(self, x):
        skips = []
        for width in self.widths:
            x = ConvBlock(width)(x)
            skips.append(x)
            x = nn.max_pool(x, (2, 2), strides=(2, 2))
        x = ConvBlock(2 * self.widths[-1])(x)
        for width, skip in zip(reversed(self.widths), reversed(skips)):
            x = upsample(x)
            x = jnp.concatenate([skip, x], axis=-1)  # mistake
            x = ConvBlock(width)(x)
        return nn.Conv(1, (1, 1))(x)
