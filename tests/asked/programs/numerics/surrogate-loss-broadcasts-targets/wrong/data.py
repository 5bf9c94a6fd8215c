import jax.numpy as jnp
import numpy as np


def molecule_descriptors(n: int, n_features: int, seed: int):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, n_features)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.05 * rng.normal(size=n)
    return jnp.asarray(x), jnp.asarray(y.astype(np.float32))


class DataLoader:
    def __init__(self, x, y, batch_size: int, seed: int):
        self.x, self.y = x, y
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.x.shape[0] // self.batch_size

    def __iter__(self):
        order = self.rng.permutation(self.x.shape[0])
        for b in range(len(self)):
            idx = order[b * self.batch_size : (b + 1) * self.batch_size]
            yield self.x[idx], self.y[idx]
