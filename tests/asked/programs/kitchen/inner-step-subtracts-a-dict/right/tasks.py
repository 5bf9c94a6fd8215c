import dataclasses

import numpy as np


@dataclasses.dataclass
class SineTasks:
    shots: int
    seed: int = 0

    def __post_init__(self):
        self.rng = np.random.default_rng(self.seed)

    def sample(self, num_tasks):
        amplitude = self.rng.uniform(0.5, 2.0, (num_tasks, 1, 1))
        phase = self.rng.uniform(0.0, np.pi, (num_tasks, 1, 1))
        x = self.rng.uniform(-3.0, 3.0, (num_tasks, 2 * self.shots, 1))
        y = amplitude * np.sin(x + phase)
        x, y = x.astype(np.float32), y.astype(np.float32)
        support = {"x": x[:, : self.shots], "y": y[:, : self.shots]}
        query = {"x": x[:, self.shots :], "y": y[:, self.shots :]}
        return support, query
