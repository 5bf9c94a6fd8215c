import collections


class MetricLogger:
    """Keeps running averages for the console."""

    def __init__(self, window: int = 10):
        self.values = collections.defaultdict(lambda: collections.deque(maxlen=window))

    def record(self, **metrics):
        for name, value in metrics.items():
            self.values[name].append(float(value))

    def summary(self) -> str:
        parts = [f"{k}={sum(v) / len(v):.4f}" for k, v in sorted(self.values.items())]
        return " ".join(parts)
