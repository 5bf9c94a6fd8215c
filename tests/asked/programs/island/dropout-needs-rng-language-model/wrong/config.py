from dataclasses import dataclass


@dataclass(frozen=True)
class TrainConfig:
    vocab_size: int = 23
    d_model: int = 32
    num_heads: int = 2
    seq_len: int = 16
    batch_size: int = 16
    dropout: float = 0.1
    lr: float = 3e-3
    num_steps: int = 30
    seed: int = 0
