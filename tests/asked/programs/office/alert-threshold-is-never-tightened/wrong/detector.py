from functools import partial

import jax
import jax.numpy as jnp


class AnomalyDetector:
    """Robust z-score detector for service metrics."""

    def __init__(self, window: int, threshold: float):
        self.window = window
        self.threshold = threshold

    @partial(jax.jit, static_argnums=0)
    def alerts(self, series):
        starts = jnp.arange(series.shape[0] - self.window)
        chunks = jax.vmap(lambda s: jax.lax.dynamic_slice_in_dim(series, s, self.window))(starts)
        centre = jnp.median(chunks, axis=1)
        spread = jnp.median(jnp.abs(chunks - centre[:, None]), axis=1) + 1e-3
        z = jnp.abs(series[self.window:] - centre) / (1.4826 * spread)
        return z > self.threshold  # mistake

    def tighten(self, factor: float):
        self.threshold = self.threshold / factor  # mistake
