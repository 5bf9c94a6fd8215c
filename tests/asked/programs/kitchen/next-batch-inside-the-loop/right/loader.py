import numpy as np


class TableLoader:
    def __init__(self, features, targets, batch_size, seed=0):
        self.features = features
        self.targets = targets
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)
        self.served = 0

    def __len__(self):
        return len(self.targets) // self.batch_size

    def __iter__(self):
        order = self.rng.permutation(len(self.targets))
        for i in range(len(self)):
            rows = order[i * self.batch_size : (i + 1) * self.batch_size]
            self.served += 1
            yield self.features[rows], self.targets[rows]
