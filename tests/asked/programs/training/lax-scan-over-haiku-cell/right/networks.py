"""Sequence networks."""
import haiku as hk
import jax
import jax.numpy as jnp


class GatedCell(hk.Module):
    def __init__(self, size, name=None):
        super().__init__(name=name)
        self.size = size

    def __call__(self, h, x):
        gates = hk.Linear(2 * self.size)(jnp.concatenate([h, x], axis=-1))
        update, candidate = jnp.split(gates, 2, axis=-1)
        update = jax.nn.sigmoid(update)
        return update * h + (1 - update) * jnp.tanh(candidate)


class Forecaster(hk.Module):
    """Reads a window of (batch, time, features), predicts the next value."""

    def __init__(self, size=16, layers=1, name=None):
        super().__init__(name=name)
        self.size = size
        self.layers = layers

    def __call__(self, window):
        sequence = jnp.swapaxes(window, 0, 1)
        for i in range(self.layers):
            cell = GatedCell(self.size, name=f"cell_{i}")

            def unroll(h, x):
                h = cell(h, x)
                return h, h

            h0 = jnp.zeros((window.shape[0], self.size))
            _, sequence = hk.scan(unroll, h0, sequence)
        return hk.Linear(1)(sequence[-1])[:, 0]
