"""A critic."""

from flax import nnx


class Critic(nnx.Module):
    def __init__(self, inputs, hidden, rngs):
        self.first = nnx.Linear(inputs, hidden, rngs=rngs)
        self.second = nnx.Linear(hidden, hidden, rngs=rngs)
        self.head = nnx.Linear(hidden, 1, rngs=rngs)

    def __call__(self, states):
        x = nnx.relu(self.first(states))
        x = nnx.relu(self.second(x))
        return self.head(x)[:, 0]
