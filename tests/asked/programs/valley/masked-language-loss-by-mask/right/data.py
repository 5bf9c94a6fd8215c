import numpy as np

PAD = 0


def sample_batch(rng: np.random.Generator, batch_size: int, max_len: int):
    tokens = rng.integers(1, 30, size=(batch_size, max_len))
    lengths = rng.integers(3, max_len + 1, size=batch_size)
    tokens[np.arange(max_len)[None] >= lengths[:, None]] = PAD
    tags = tokens % 3
    return tokens.astype(np.int32), tags.astype(np.int32)
