import jax.numpy as jnp
from flax import nnx


class Regressor(nnx.Module):
    def __init__(self, din, width, *, rngs: nnx.Rngs):
        self.inner = nnx.Linear(din, width, rngs=rngs)
        self.mid = nnx.Linear(width, width, rngs=rngs)
        self.outer = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        h = nnx.relu(self.inner(x))
        h = nnx.relu(self.mid(h))
        return self.outer(h)[..., 0]


def mse(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(mse)(model, x, y)
    optimizer.update(model, grads)
    return loss


validate = nnx.jit(mse)
