"""A network with batch norm."""
import equinox as eqx
import jax


class Network(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.BatchNorm
    head: eqx.nn.Linear

    def __init__(self, key):
        key_linear, key_head = jax.random.split(key)
        self.linear = eqx.nn.Linear(4, 8, key=key_linear)
        self.norm = eqx.nn.BatchNorm(8, axis_name="batch", mode="batch")
        self.head = eqx.nn.Linear(8, 1, key=key_head)

    def __call__(self, x, state):
        x, state = self.norm(self.linear(x), state)
        return self.head(jax.nn.relu(x))[0], state
