import time
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class MetricLogger:
    every: int = 10
    start: float = field(default_factory=time.perf_counter)
    history: dict = field(default_factory=lambda: defaultdict(list))

    def log(self, step: int, **metrics):
        for name, value in metrics.items():
            self.history[name].append(value)
        if step % self.every == 0:
            line = " ".join(f"{k}={float(v):.4f}" for k, v in metrics.items())
            print(f"[{step:4d}] {line}")

    def summary(self):
        return {k: sum(float(x) for x in v[-self.every :]) / self.every for k, v in self.history.items()}
