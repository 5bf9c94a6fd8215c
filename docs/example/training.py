"""A small training script with the mistakes everyone makes once. `jaxlint check docs/example` finds them."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def initialise(seed: int, width: int):
    key = jax.random.PRNGKey(seed)
    weights = jax.random.normal(key, (width, 1))
    bias = jax.random.normal(key, (1,))  # the same key again: the draws are correlated
    return weights, bias


def predict(parameters, inputs):
    weights, bias = parameters
    hidden = np.tanh(inputs @ weights + bias)  # NumPy cannot take a tracer
    return hidden[:, 0]


def loss(parameters, inputs, targets):
    error = predict(parameters, inputs) - targets
    return jnp.mean(error**2)


@partial(jax.jit, static_argnames="rate")
def step(parameters, inputs, targets, rate: float):
    print("targets", targets)  # prints the tracer, and only while tracing
    value, gradients = jax.value_and_grad(loss)(parameters, inputs, targets)
    if value > 1e3:  # a Python branch on a value that is not known while tracing
        value = jnp.inf
    return value, jax.tree.map(lambda p, g: p - rate * g, parameters, gradients)


@jax.jit
def clip(x, count):
    x = x.at[x < 0].set(0.0)
    return x + jnp.arange(count)  # a shape cannot depend on a traced value
