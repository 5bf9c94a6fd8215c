"""A small convolutional network."""
import flax.linen as nn


class Network(nn.Module):
    @nn.compact
    def __call__(self, images):
        x = nn.relu(nn.Conv(4, (3, 3))(images))
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        x = x.mean(axis=(1, 2))
        return nn.Dense(3)(x)
