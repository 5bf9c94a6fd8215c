"""Settings."""
from dataclasses import dataclass


@dataclass
class ModelConfig:
    width: int = 8
    layers: int = 2
    residual: bool = True
