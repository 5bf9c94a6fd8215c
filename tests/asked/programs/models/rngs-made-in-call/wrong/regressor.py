"""A regressor whose dropout stays on, to estimate how certain it is."""
from flax import nnx


class Regressor(nnx.Module):
    def __init__(self, inputs, width, rngs):
        self.hidden = nnx.Linear(inputs, width, rngs=rngs)
        self.output = nnx.Linear(width, 1, rngs=rngs)
        self.dropout = nnx.Dropout(0.4)

    def __call__(self, x):
        x = nnx.relu(self.hidden(x))
        x = self.dropout(x, rngs=nnx.Rngs(dropout=0))  # mistake
        return self.output(x)
