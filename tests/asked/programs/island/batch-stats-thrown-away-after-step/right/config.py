from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    num_classes: int = 3
    width: int = 8
    batch_size: int = 64
    learning_rate: float = 1e-2
    num_epochs: int = 5
    seed: int = 42
