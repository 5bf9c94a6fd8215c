import numpy as np


class DigitLoader:
    """Bars at random places, flattened to vectors."""

    def __init__(self, size: int, batch_size: int, seed: int):
        self.size = size
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    @property
    def num_pixels(self) -> int:
        return self.size * self.size

    def _draw(self):
        img = np.zeros((self.size, self.size), np.float32)
        line = self.rng.integers(self.size)
        if self.rng.uniform() < 0.5:
            img[line] = 1.0
        else:
            img[:, line] = 1.0
        return img

    def batches(self, num: int):
        for _ in range(num):
            images = np.stack([self._draw() for _ in range(self.batch_size)])
            yield images.reshape(self.batch_size, -1)
