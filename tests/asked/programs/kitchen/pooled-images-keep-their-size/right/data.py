import numpy as np


def synthetic_xrays(rng, count, size=24):
    images = rng.normal(0.0, 0.3, (count, size, size, 1))
    labels = rng.integers(0, 2, count)
    for image, label in zip(images, labels):
        if label:
            r, c = rng.integers(2, size - 8, 2)
            image[r : r + 6, c : c + 6] += 1.0
    return images.astype(np.float32), labels.astype(np.int32)
