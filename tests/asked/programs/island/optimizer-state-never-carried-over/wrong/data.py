import numpy as np


class BracketTask:
    """Strings of brackets that close in the right order."""

    vocab_size = 4

    def __init__(self, seq_len: int, seed: int):
        self.seq_len = seq_len
        self.rng = np.random.default_rng(seed)

    def _string(self):
        stack, out = [], []
        while len(out) < self.seq_len + 1:
            if stack and (len(stack) > 2 or self.rng.random() < 0.5):
                out.append(stack.pop() + 2)
            else:
                kind = int(self.rng.integers(2))
                stack.append(kind)
                out.append(kind)
        return out

    def batch(self, size: int) -> np.ndarray:
        return np.array([self._string() for _ in range(size)], dtype=np.int32)
