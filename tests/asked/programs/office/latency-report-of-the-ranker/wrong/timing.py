import time
from dataclasses import dataclass, field

import numpy as np


@dataclass
class LatencyReport:
    name: str
    samples: list = field(default_factory=list)

    def measure(self, fn, *args, repeats=5):
        for _ in range(repeats):
            start = time.perf_counter()
            result = fn(*args)  # mistake
            self.samples.append(time.perf_counter() - start)  # mistake
        return result

    def summary(self):
        ms = 1e3 * np.asarray(self.samples)
        return f"{self.name}: median {np.median(ms):.2f} ms, max {ms.max():.2f} ms"
