from dataclasses import dataclass


@dataclass(frozen=True)
class EncoderConfig:
    vocab_size: int = 50
    n_intents: int = 5
    max_len: int = 12
    width: int = 32
    heads: int = 4
    layers: int = 1
    pad_id: int = 0
