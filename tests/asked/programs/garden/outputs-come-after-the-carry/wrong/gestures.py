import numpy as np


def imu_sequences(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    t = np.linspace(0, 1, 20)
    freq = 1.0 + 2.0 * y[:, None]
    channels = [np.sin(2 * np.pi * freq * t + p) for p in (0.0, 0.7, 1.4)]
    x = np.stack(channels, axis=-1) + 0.1 * rng.normal(size=(n, 20, 3))
    return x.astype(np.float32), y.astype(np.int32)
