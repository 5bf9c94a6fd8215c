import numpy as np


def moving_cells(count, size=12, frames=3, seed=0):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:size, 0:size]
    centre = rng.uniform(3, size - 3, size=(count, 2))
    drift = rng.normal(scale=0.6, size=(count, 2))
    sequence = []
    for t in range(frames + 1):
        where = centre + t * drift
        distance = (y - where[:, 0, None, None]) ** 2 + (x - where[:, 1, None, None]) ** 2
        sequence.append(np.exp(-distance / 6.0))
    stack = np.stack(sequence, axis=-1).astype(np.float32)
    return stack[..., :-1], stack[..., -1]
