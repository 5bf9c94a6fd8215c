import numpy as np

PAD = 0


def topic_batch(n, seed, max_len=10):
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, 4, n)
    tokens = rng.integers(21, 40, (n, max_len))
    tokens[:, 0] = 1 + 5 * topics + rng.integers(0, 5, n)
    lengths = rng.integers(3, max_len, n)
    tokens = np.where(np.arange(max_len) < lengths[:, None], tokens, PAD)
    return tokens.astype(np.int32), topics.astype(np.int32)
