from flax import linen as nn


class TileNet(nn.Module):
    n_classes: int

    @nn.compact
    def __call__(self, images):
        x = nn.relu(nn.Conv(8, kernel_size=(3, 3))(images))
        x = nn.relu(nn.Conv(16, kernel_size=(3, 3), strides=(2, 2))(x))
        x = x.mean(axis=(1, 2))
        return nn.Dense(self.n_classes)(x)
