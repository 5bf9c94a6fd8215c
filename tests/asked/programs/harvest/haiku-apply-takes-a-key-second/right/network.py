import haiku as hk
import jax
import jax.numpy as jnp


class ValueNetwork(hk.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden

    def __call__(self, board):
        x = hk.Flatten()(board)
        x = jax.nn.relu(hk.Linear(self.hidden)(x))
        return jnp.tanh(hk.Linear(1)(x)[..., 0])


def value_of(board):
    return ValueNetwork(hidden=32)(board)


network = hk.without_apply_rng(hk.transform(value_of))
