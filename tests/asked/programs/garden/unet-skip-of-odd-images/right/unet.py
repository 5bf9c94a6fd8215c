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


def upsample(x: jax.Array, like: jax.Array) -> jax.Array:
    return jax.image.resize(x, like.shape[:3] + x.shape[3:], method="nearest")


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
            x = upsample(x, skip)
            x = jnp.concatenate([skip, x], axis=-1)
            x = ConvBlock(width)(x)
        return nn.Conv(1, (1, 1))(x)
