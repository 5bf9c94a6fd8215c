import jax.numpy as jnp
import numpy as np


def disk_images(n: int, size: int, seed: int):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size] / size
    out = np.zeros((n, size, size, 1), dtype=np.float32)
    for img in out:
        for _ in range(3):
            cx, cy, r = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), rng.uniform(0.08, 0.25)
            img[(xx - cx) ** 2 + (yy - cy) ** 2 < r**2, 0] = rng.uniform(0.4, 1.0)
    return jnp.asarray(out)
