"""A small classifier of leaves by their measures."""

import flax.linen as nn


class LeafNet(nn.Module):
    hidden: int
    species: int

    @nn.compact
    def __call__(self, x, drop_rate, train: bool):
        x = nn.Dense(self.hidden)(x)
        x = nn.gelu(x)
        x = nn.Dropout(rate=drop_rate)(x, deterministic=not train)  # mistake
        return nn.Dense(self.species)(x)
