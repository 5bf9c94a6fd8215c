import equinox as eqx
import jax
import jax.numpy as jnp


class DropoutMLP(eqx.Module):
    layers: list[eqx.nn.Linear]
    dropout: eqx.nn.Dropout

    def __init__(self, sizes, rate, *, key):
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [eqx.nn.Linear(a, b, key=k) for a, b, k in zip(sizes[:-1], sizes[1:], keys)]
        self.dropout = eqx.nn.Dropout(rate)

    def __call__(self, x, key=None):
        *hidden, last = self.layers
        keys = [None] * len(hidden) if key is None else jax.random.split(key, len(hidden))
        for layer, k in zip(hidden, keys):
            x = self.dropout(jax.nn.relu(layer(x)), key=k)
        return last(x)[0], jnp.mean(x == 0.0), x
