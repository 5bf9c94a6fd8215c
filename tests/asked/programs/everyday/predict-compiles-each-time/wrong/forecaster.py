"""A linear forecaster with a squashed output."""
import jax
import jax.numpy as jnp

TRACES = []


class Forecaster:
    def __init__(self, key, lags):
        self.weights = jax.random.normal(key, (lags,)) / lags

    def _forecast(self, weights, window):
        TRACES.append(None)
        return jnp.tanh(jnp.dot(weights, window))

    def predict(self, window):
        forward = jax.jit(lambda weights, x: self._forecast(weights, x))  # mistake
        return forward(self.weights, window)  # mistake
