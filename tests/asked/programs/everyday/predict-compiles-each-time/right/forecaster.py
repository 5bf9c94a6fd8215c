"""A linear forecaster with a squashed output."""
import jax
import jax.numpy as jnp

TRACES = []


@jax.jit
def _forecast(weights, window):
    TRACES.append(None)
    return jnp.tanh(jnp.dot(weights, window))


class Forecaster:
    def __init__(self, key, lags):
        self.weights = jax.random.normal(key, (lags,)) / lags

    def predict(self, window):
        return _forecast(self.weights, window)
