import numpy as np


def make_scans(rng, count, size=16):
    grid = np.stack(np.meshgrid(np.arange(size), np.arange(size), indexing="ij"), -1)
    centres = rng.uniform(5, size - 5, (count, 1, 1, 2))
    radius = rng.uniform(2.5, 5.0, (count, 1, 1))
    masks = (np.linalg.norm(grid - centres, axis=-1) < radius).astype(np.float32)
    images = 0.8 * masks + 0.4 * rng.normal(size=masks.shape)
    return images[..., None].astype(np.float32), masks
