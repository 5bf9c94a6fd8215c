from collections import defaultdict

import jax.numpy as jnp


class MetricTracker:
    def __init__(self):
        self._values = defaultdict(list)

    def update(self, **metrics):
        for name, value in metrics.items():
            self._values[name].append(value)

    def summary(self):
        out = {name: float(jnp.mean(jnp.stack(v))) for name, v in self._values.items()}
        self._values.clear()
        return out
