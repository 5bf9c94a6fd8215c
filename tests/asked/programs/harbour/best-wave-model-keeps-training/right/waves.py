import numpy as np


def buoy_records(count, seed):
    rng = np.random.default_rng(seed)
    wind = rng.uniform(2, 20, size=(count, 1))
    fetch = rng.uniform(10, 300, size=(count, 1))
    noise = rng.normal(size=(count, 6))
    height = 0.02 * wind**1.2 * fetch**0.25 + 0.15 * rng.normal(size=(count, 1))
    features = np.concatenate([wind / 10, fetch / 150, noise], axis=1)
    return features.astype(np.float32), height[:, 0].astype(np.float32)
