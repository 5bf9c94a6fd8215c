import numpy as np

PAD = 0
POSITIVE = np.arange(1, 11)


def review_batches(n_batches, seed, batch_size=32, max_len=14):
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        tokens = rng.integers(11, 60, (batch_size, max_len))
        labels = rng.integers(0, 2, batch_size)
        spots = rng.integers(0, 4, batch_size)
        words = rng.choice(POSITIVE, batch_size)
        tokens[np.arange(batch_size), spots] = np.where(
            labels == 1, words, tokens[np.arange(batch_size), spots]
        )
        lengths = rng.integers(5, max_len + 1, batch_size)
        tokens = np.where(np.arange(max_len) < lengths[:, None], tokens, PAD)
        yield tokens.astype(np.int32), labels.astype(np.float32)
