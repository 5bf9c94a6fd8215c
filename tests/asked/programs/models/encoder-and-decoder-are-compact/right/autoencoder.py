"""An autoencoder with a latent space of a few numbers."""
import flax.linen as nn


class Autoencoder(nn.Module):
    latent: int
    outputs: int

    def setup(self):
        self.encoder = nn.Sequential([nn.Dense(16), nn.relu, nn.Dense(self.latent)])
        self.decoder = nn.Sequential([nn.Dense(16), nn.relu, nn.Dense(self.outputs)])

    def __call__(self, x):
        return self.decode(self.encode(x))

    def encode(self, x):
        return self.encoder(x)

    def decode(self, z):
        return self.decoder(z)
