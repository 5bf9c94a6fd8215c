import numpy as np


def nuclei_patches(size: int, n_batches: int, seed: int, batch_size: int = 8):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    for _ in range(n_batches):
        centers = rng.uniform(8, size - 8, (batch_size, 2))
        radii = rng.uniform(4, 9, (batch_size, 1, 1))
        dist2 = (yy - centers[:, :1, None]) ** 2 + (xx - centers[:, 1:, None]) ** 2
        masks = (dist2 < radii**2).astype(np.float32)[..., None]
        noise = rng.normal(0.0, 0.2, masks.shape).astype(np.float32)
        yield masks + noise, masks
