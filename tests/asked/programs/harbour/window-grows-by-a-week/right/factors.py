import numpy as np


def weekly_factors(weeks, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(weeks, 5))
    slope = np.array([0.8, -0.5, 0.3, 0.0, 0.2])
    returns = features @ slope + 0.5 * rng.standard_t(5, size=weeks)
    return features.astype(np.float32), returns.astype(np.float32)
