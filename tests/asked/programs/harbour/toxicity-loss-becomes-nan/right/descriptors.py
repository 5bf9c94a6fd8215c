import numpy as np

NAMES = ("weight", "polar_area", "log_p", "donors", "acceptors")


def molecules(count, seed=0):
    rng = np.random.default_rng(seed)
    weight = rng.normal(350.0, 90.0, size=count)
    polar_area = rng.normal(80.0, 30.0, size=count)
    log_p = rng.normal(2.5, 1.5, size=count)
    donors = rng.poisson(2.0, size=count)
    acceptors = rng.poisson(4.0, size=count)
    table = np.stack([weight, polar_area, log_p, donors, acceptors], axis=1)
    score = 0.8 * log_p - 0.02 * polar_area + rng.normal(scale=0.5, size=count)
    return table.astype(np.float32), (score > 0.4).astype(np.float32)
