"""A small classifier of leaves by their measures."""

import flax.linen as nn
import jax


class LeafNet(nn.Module):
    hidden: int
    species: int

    @nn.compact
    def __call__(self, x, drop_rate, train: bool):
        x = nn.Dense(self.hidden)(x)
        x = nn.gelu(x)
        if train:
            kept = 1.0 - drop_rate
            x = x * jax.random.bernoulli(self.make_rng("dropout"), kept, x.shape) / kept
        return nn.Dense(self.species)(x)
