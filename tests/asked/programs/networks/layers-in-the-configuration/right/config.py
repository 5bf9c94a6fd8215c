"""What the autoencoder is made of."""

from dataclasses import dataclass

import haiku as hk
import jax


@dataclass(frozen=True)
class Config:
    latent: int = 2
    pixels: int = 16
    hidden: int = 24

    def encoder(self):
        return [hk.Linear(self.hidden), jax.nn.relu, hk.Linear(self.latent)]

    def decoder(self):
        return [hk.Linear(self.hidden), jax.nn.relu, hk.Linear(self.pixels)]
    rate: float = 1e-2
    steps: int = 60
