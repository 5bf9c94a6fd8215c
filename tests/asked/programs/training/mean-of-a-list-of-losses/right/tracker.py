"""Keep what happened in an epoch."""
import jax.numpy as jnp


class EpochTracker:
    def __init__(self):
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)

    def summary(self):
        mean = jnp.mean(jnp.stack(self.losses))
        self.losses = []
        return float(mean)
