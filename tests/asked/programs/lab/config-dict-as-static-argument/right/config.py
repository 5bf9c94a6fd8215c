from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    n_layers: int = 2
    width: int = 32
    beta: float = 0.5
    latent: int = 2


def default_config():
    return Config()
