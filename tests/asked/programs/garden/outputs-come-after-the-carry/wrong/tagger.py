import jax.numpy as jnp
from flax import linen as nn


class GestureTagger(nn.Module):
    hidden: int
    n_classes: int

    @nn.compact
    def __call__(self, x):
        rnn = nn.RNN(nn.OptimizedLSTMCell(self.hidden), return_carry=True)
        outputs, _ = rnn(nn.Dense(self.hidden)(x))  # mistake
        last = outputs[:, -1]  # mistake
        pooled = jnp.concatenate([last, outputs.mean(axis=1)], axis=-1)
        return nn.Dense(self.n_classes)(pooled)
