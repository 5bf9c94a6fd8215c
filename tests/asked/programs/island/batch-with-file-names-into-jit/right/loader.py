from collections.abc import Iterator

import numpy as np


class SliceLoader:
    """Synthetic scans: bright discs on noise, with the path of every slice."""

    def __init__(self, num_slices: int, batch_size: int, size: int = 16, seed: int = 0):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size]
        center = rng.uniform(4, size - 4, size=(num_slices, 2, 1, 1))
        radius = rng.uniform(2, 4, size=(num_slices, 1, 1))
        self.masks = ((yy - center[:, 0]) ** 2 + (xx - center[:, 1]) ** 2 < radius**2).astype(np.float32)
        noise = 0.3 * rng.normal(size=self.masks.shape)
        self.images = (self.masks + noise).astype(np.float32)[..., None]
        self.paths = [f"patient_{i // 8:02d}/slice_{i % 8}.npy" for i in range(num_slices)]
        self.batch_size = batch_size
        self.rng = rng
        self.last_path = ""

    def __iter__(self) -> Iterator[dict]:
        order = self.rng.permutation(len(self.paths))
        for start in range(0, len(order), self.batch_size):
            idx = order[start : start + self.batch_size]
            paths = [self.paths[i] for i in idx]
            self.last_path = paths[-1]
            yield {"image": self.images[idx], "mask": self.masks[idx], "path": paths}
