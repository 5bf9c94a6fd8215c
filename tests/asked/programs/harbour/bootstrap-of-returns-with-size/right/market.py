import numpy as np


def daily_returns(num_days, num_assets, seed=0):
    rng = np.random.default_rng(seed)
    market = 0.0004 + 0.009 * rng.standard_t(4, size=(num_days, 1))
    beta = rng.uniform(0.5, 1.5, size=num_assets)
    own = 0.006 * rng.normal(size=(num_days, num_assets))
    return (market * beta + own).astype(np.float32)
