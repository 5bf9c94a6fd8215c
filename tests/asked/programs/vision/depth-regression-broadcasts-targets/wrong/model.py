"""A small regressor in Flax."""
import flax.linen as nn


class DepthNet(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, x):
        x = nn.tanh(nn.Dense(self.width)(x))
        x = nn.tanh(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)
