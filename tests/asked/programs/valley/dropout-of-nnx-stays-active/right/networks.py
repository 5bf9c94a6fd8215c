from flax import nnx


class DropoutMLP(nnx.Module):
    def __init__(self, din, width, dout, rate, *, rngs: nnx.Rngs):
        self.fc1 = nnx.Linear(din, width, rngs=rngs)
        self.fc2 = nnx.Linear(width, width, rngs=rngs)
        self.drop = nnx.Dropout(rate, rngs=rngs)
        self.out = nnx.Linear(width, dout, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.fc1(x))
        x = self.drop(nnx.relu(self.fc2(x)))
        return self.out(x)
