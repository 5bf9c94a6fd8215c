"""A small network on the line."""
from flax import nnx


class Curve(nnx.Module):
    def __init__(self, rngs):
        self.hidden = nnx.Linear(1, 32, rngs=rngs)
        self.out = nnx.Linear(32, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.tanh(self.hidden(x)))
