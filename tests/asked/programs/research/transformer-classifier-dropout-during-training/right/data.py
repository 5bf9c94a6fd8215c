import numpy as np


def make_reviews(n: int, length: int, vocab: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, vocab, size=(n, length))
    lengths = rng.integers(length // 2, length + 1, size=n)
    tokens[np.arange(length)[None, :] >= lengths[:, None]] = 0
    labels = ((tokens > vocab // 2).sum(1) > lengths / 2).astype(np.int32)
    return tokens.astype(np.int32), labels


def batches(tokens, labels, batch_size, rng):
    order = rng.permutation(len(tokens))
    for i in range(0, len(order) - batch_size + 1, batch_size):
        idx = order[i : i + batch_size]
        yield {"tokens": tokens[idx], "label": labels[idx]}
