import numpy as np


class CharDataset:
    def __init__(self, vocab: int, length: int, seed: int):
        self.vocab = vocab
        self.length = length
        self.rng = np.random.default_rng(seed)

    def sample(self, n: int) -> np.ndarray:
        start = self.rng.integers(0, self.vocab, size=(n, 1))
        stride = self.rng.integers(1, 4, size=(n, 1))
        steps = np.arange(self.length + 1)[None]
        return ((start + stride * steps) % self.vocab).astype(np.int32)
