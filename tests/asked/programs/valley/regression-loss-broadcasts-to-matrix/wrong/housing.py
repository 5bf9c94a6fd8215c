import numpy as np


class HousingData:
    num_features = 4

    def __init__(self, num: int, seed: int):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(num, self.num_features)).astype(np.float32)
        y = 2.0 * x[:, 0] - x[:, 1] + 0.5 * x[:, 2] * x[:, 3]
        cut = int(0.75 * num)
        self.train = (x[:cut], y[:cut])
        self.test = (x[cut:], y[cut:])

    def train_batches(self, size: int, epoch: int):
        x, y = self.train
        order = np.random.default_rng(epoch).permutation(len(x))
        for i in range(0, len(x) - size + 1, size):
            idx = order[i : i + size]
            yield x[idx], y[idx]
