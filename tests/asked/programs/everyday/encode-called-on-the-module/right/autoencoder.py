"""An autoencoder with one hidden layer on each side."""
import flax.linen as nn


class AutoEncoder(nn.Module):
    code: int
    features: int

    def setup(self):
        self.down = nn.Dense(self.code)
        self.up = nn.Dense(self.features)

    def encode(self, x):
        return nn.tanh(self.down(x))

    def __call__(self, x):
        return self.up(self.encode(x))
