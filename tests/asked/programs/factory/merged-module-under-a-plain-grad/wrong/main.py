"""Estimate the strength of welds with a small network and plain JAX transformations."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Strength(nnx.Module):
    def __init__(self, rngs):
        self.inner = nnx.Linear(5, 24, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.outer = nnx.Linear(24, 1, rngs=rngs)

    def __call__(self, x):
        return self.outer(self.dropout(nnx.relu(self.inner(x))))[..., 0]


def welds(key, n=64):
    x = jax.random.normal(key, (n, 5))
    return x, x[:, 0] + 0.5 * x[:, 3]


graphdef, params, rest = nnx.split(Strength(nnx.Rngs(0)), nnx.Param, ...)
optimizer = optax.adam(0.01)


def loss_fn(params, rest, x, y):
    model = nnx.merge(graphdef, params, rest)  # mistake
    model.train()
    return jnp.mean((model(x) - y) ** 2)  # mistake


def step(params, state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, rest, x, y)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


def main():
    trained, state = params, optimizer.init(params)
    losses = []
    for number in range(80):
        trained, state, loss = step(trained, state, *welds(jax.random.key(number)))
        losses.append(float(loss))
    print("learns:", losses[-1] < 0.5 * losses[0])


if __name__ == "__main__":
    main()
