"""What the autoencoder is made of."""

from dataclasses import dataclass
from dataclasses import field

import haiku as hk
import jax


@dataclass(frozen=True)
class Config:
    latent: int = 2
    pixels: int = 16
    encoder: tuple = (hk.Linear(24), jax.nn.relu, hk.Linear(2))  # mistake
    decoder: tuple = field(default_factory=lambda: (hk.Linear(24), jax.nn.relu, hk.Linear(16)))  # mistake
    rate: float = 1e-2
    steps: int = 60
