"""An autoencoder with a latent space of a few numbers."""
import flax.linen as nn


class Autoencoder(nn.Module):
    latent: int
    outputs: int

    def __call__(self, x):
        return self.decode(self.encode(x))

    @nn.compact  # mistake
    def encode(self, x):  # mistake
        x = nn.relu(nn.Dense(16)(x))
        return nn.Dense(self.latent)(x)

    @nn.compact  # mistake
    def decode(self, z):  # mistake
        z = nn.relu(nn.Dense(16)(z))
        return nn.Dense(self.outputs)(z)
