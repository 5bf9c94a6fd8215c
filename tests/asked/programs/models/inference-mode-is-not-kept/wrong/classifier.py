"""A classifier with dropout."""
import equinox as eqx
import jax


class Classifier(eqx.Module):
    first: eqx.nn.Linear
    dropout: eqx.nn.Dropout
    second: eqx.nn.Linear

    def __init__(self, key):
        key_first, key_second = jax.random.split(key)
        self.first = eqx.nn.Linear(4, 16, key=key_first)
        self.dropout = eqx.nn.Dropout(0.5)
        self.second = eqx.nn.Linear(16, 3, key=key_second)

    def __call__(self, x, key):
        x = jax.nn.relu(self.first(x))
        return self.second(self.dropout(x, key=key))
