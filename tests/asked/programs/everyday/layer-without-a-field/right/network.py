"""A recurrent network with a normalised read-out."""
import equinox as eqx
import jax
import jax.numpy as jnp


class GatedClassifier(eqx.Module):
    cell: eqx.nn.GRUCell
    head: eqx.nn.Linear
    norm: eqx.nn.LayerNorm

    def __init__(self, in_size, hidden, classes, *, key):
        cell_key, head_key = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(in_size, hidden, key=cell_key)
        self.head = eqx.nn.Linear(hidden, classes, key=head_key)
        self.norm = eqx.nn.LayerNorm(hidden)

    def __call__(self, series):
        def step(hidden, x):
            return self.cell(x, hidden), None

        hidden, _ = jax.lax.scan(step, jnp.zeros(self.cell.hidden_size), series)
        return self.head(self.norm(hidden))
