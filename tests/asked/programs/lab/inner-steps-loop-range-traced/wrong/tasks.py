import numpy as np


class SineTasks:
    def __init__(self, seed, shots):
        self.rng = np.random.default_rng(seed)
        self.shots = shots

    def sample(self, n_tasks):
        amp = self.rng.uniform(0.5, 2.0, size=(n_tasks, 1, 1))
        phase = self.rng.uniform(0, np.pi, size=(n_tasks, 1, 1))
        x = self.rng.uniform(-3, 3, size=(n_tasks, 2 * self.shots, 1))
        y = amp * np.sin(x + phase)
        x, y = x.astype(np.float32), y.astype(np.float32)
        k = self.shots
        return {"xs": x[:, :k], "ys": y[:, :k], "xq": x[:, k:], "yq": y[:, k:]}
