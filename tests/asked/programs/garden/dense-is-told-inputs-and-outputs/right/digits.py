import numpy as np


def digit_images(n, seed=0):
    rng = np.random.default_rng(seed)
    prototypes = rng.uniform(0, 1, (10, 8, 8))
    labels = rng.integers(0, 10, n).astype(np.int32)
    images = prototypes[labels] + 0.3 * rng.normal(size=(n, 8, 8))
    return images.astype(np.float32), labels
