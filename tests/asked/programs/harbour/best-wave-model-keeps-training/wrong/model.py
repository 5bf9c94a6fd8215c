import jax
import jax.numpy as jnp
from flax import nnx


class WaveHeight(nnx.Module):
    def __init__(self, features, width, rngs):
        self.first = nnx.Linear(features, width, rngs=rngs)
        self.second = nnx.Linear(width, width, rngs=rngs)
        self.last = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        h = jax.nn.relu(self.first(x))
        h = jax.nn.relu(self.second(h))
        return self.last(h)[:, 0]


@nnx.jit
def fit_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(lambda m: jnp.mean((m(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def validate(model, x, y):
    return jnp.mean((model(x) - y) ** 2)
