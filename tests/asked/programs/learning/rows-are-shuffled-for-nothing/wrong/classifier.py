"""A small network for kinds of flowers."""

import jax.numpy as jnp
import optax
from flax import nnx


class Classifier(nnx.Module):
    def __init__(self, features, kinds, rngs):
        self.hidden = nnx.Linear(features, 12, rngs=rngs)
        self.out = nnx.Linear(12, kinds, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.relu(self.hidden(x)))


def loss(model, x, kinds):
    return optax.softmax_cross_entropy_with_integer_labels(model(x), kinds).mean()


@nnx.jit
def step(model, optimizer, x, kinds):
    value, grads = nnx.value_and_grad(loss)(model, x, kinds)
    optimizer.update(model, grads)
    return value


def train(x, kinds, steps=80):
    model = Classifier(x.shape[1], 3, nnx.Rngs(5))
    optimizer = nnx.Optimizer(model, optax.adam(3e-2), wrt=nnx.Param)
    for _ in range(steps):
        step(model, optimizer, x, kinds)
    return model


@nnx.jit
def accuracy(model, x, kinds):
    return jnp.mean(jnp.argmax(model(x), axis=1) == kinds)
