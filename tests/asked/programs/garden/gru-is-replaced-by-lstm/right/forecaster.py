import equinox as eqx
import jax
import jax.numpy as jnp


class LoadForecaster(eqx.Module):
    cell: eqx.nn.LSTMCell
    readout: eqx.nn.Linear
    hidden_size: int = eqx.field(static=True)

    def __init__(self, hidden_size: int, *, key):
        cell_key, readout_key = jax.random.split(key)
        self.cell = eqx.nn.LSTMCell(1, hidden_size, key=cell_key)
        self.readout = eqx.nn.Linear(hidden_size, "scalar", key=readout_key)
        self.hidden_size = hidden_size

    def encode(self, series):
        def step(hidden, value):
            return self.cell(value, hidden), None

        hidden = (jnp.zeros(self.hidden_size), jnp.zeros(self.hidden_size))
        (hidden, _), _ = jax.lax.scan(step, hidden, series)
        return hidden

    def __call__(self, series):
        return self.readout(self.encode(series))
