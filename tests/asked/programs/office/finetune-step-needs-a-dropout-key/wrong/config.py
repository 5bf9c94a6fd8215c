from dataclasses import dataclass


@dataclass(frozen=True)
class FinetuneConfig:
    vocab_size: int = 200
    width: int = 32
    classes: int = 4
    dropout: float = 0.2
    head_lr: float = 5e-3
    body_lr: float = 5e-4
    steps: int = 80
    batch_size: int = 32
