import numpy as np


def make_drift(num_days: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    wind = rng.normal(size=(num_days, 2))
    current = 0.3 * rng.normal(size=(num_days, 2))
    thickness = rng.uniform(0.2, 3.0, size=(num_days, 1))
    turned = np.stack([wind[:, 0] - 0.4 * wind[:, 1], wind[:, 1] + 0.4 * wind[:, 0]], axis=1)
    drift = current + 0.2 * turned / (1.0 + 0.3 * thickness)
    forcing = np.concatenate([wind, current, thickness], axis=1)
    return forcing.astype(np.float32), drift.astype(np.float32)


def batches(forcing, drift, size: int, seed: int):
    order = np.random.default_rng(seed).permutation(len(forcing))
    for start in range(0, len(order) - size + 1, size):
        rows = order[start : start + size]
        yield forcing[rows], drift[rows]
