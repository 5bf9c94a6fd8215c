from flax import nnx


class RiskModel(nnx.Module):
    def __init__(self, hidden, *, rngs):
        self.first = nnx.Linear(5, hidden, rngs=rngs)
        self.drop = nnx.Dropout(0.4, rngs=rngs)
        self.second = nnx.Linear(hidden, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, 1, rngs=rngs)

    def __call__(self, x):
        x = self.drop(nnx.relu(self.first(x)))
        x = self.drop(nnx.relu(self.second(x)))
        return self.out(x)[..., 0]
