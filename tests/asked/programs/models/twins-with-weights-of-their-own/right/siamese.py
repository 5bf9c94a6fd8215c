"""A network that tells how alike two images are."""
import flax.linen as nn
import jax.numpy as jnp


class Encoder(nn.Module):
    features: int

    @nn.compact
    def __call__(self, images):
        hidden = nn.relu(nn.Dense(2 * self.features)(images))
        hidden = nn.Dense(self.features)(hidden)
        return hidden / jnp.linalg.norm(hidden, axis=-1, keepdims=True)


class Likeness(nn.Module):
    features: int = 4

    @nn.compact
    def __call__(self, left, right):
        encoder = Encoder(self.features)
        first = encoder(left)
        second = encoder(right)
        return jnp.sum(first * second, axis=-1)
