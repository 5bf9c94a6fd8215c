"""Two networks over the words of a review."""

import flax.linen as nn
import jax.numpy as jnp


class Bag(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, words):
        hidden = nn.relu(nn.Dense(self.width)(words))
        return nn.Dense(1)(jnp.mean(hidden, axis=1))[..., 0]


class Convolution(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, words):
        hidden = nn.relu(nn.Conv(self.width, (3,))(words))
        return nn.Dense(1)(jnp.max(hidden, axis=1))[..., 0]
