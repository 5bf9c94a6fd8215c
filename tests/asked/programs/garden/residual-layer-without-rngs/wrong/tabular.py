import numpy as np


def housing_table(n: int, n_features: int = 8, seed: int = 0):
    rng = np.random.default_rng(seed)
    x = rng.gamma(2.0, 1.5, (n, n_features)).astype(np.float32)
    y = 0.4 * x[:, 0] + np.log1p(x[:, 1]) - 0.2 * x[:, 2] * (x[:, 3] > 2)
    return x, y.astype(np.float32)


def standardize(train, test):
    mean, std = train.mean(0), train.std(0) + 1e-6
    return (train - mean) / std, (test - mean) / std
