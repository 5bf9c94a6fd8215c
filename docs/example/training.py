"""A small training script with the mistakes everyone makes once. `jaxlint check docs/example` finds them."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def initialise(seed: int, width: int):
    key = jax.random.PRNGKey(seed)
    weights = jax.random.normal(key, (width, 1))
    # The same key again: the draws are correlated.
    bias = jax.random.normal(key, (1,))
    return weights, bias


def predict(parameters, inputs):
    weights, bias = parameters
    # NumPy cannot take a tracer.
    hidden = np.tanh(inputs @ weights + bias)
    return hidden[:, 0]


def loss(parameters, inputs, targets):
    error = predict(parameters, inputs) - targets
    return jnp.mean(error**2)


@partial(jax.jit, static_argnames="rate")
def step(parameters, inputs, targets, rate: float):
    # Prints the tracer, and only while tracing.
    print("targets", targets)
    value, gradients = jax.value_and_grad(loss)(parameters, inputs, targets)
    # A branch of Python on a value that is not known while tracing.
    if value > 1e3:
        value = jnp.inf
    return value, jax.tree.map(lambda p, g: p - rate * g, parameters, gradients)


@jax.jit
def clip(x, count):
    # How many elements a mask selects is not known while tracing.
    x = x.at[x < 0].set(0.0)
    # A shape cannot depend on a traced value.
    return x + jnp.arange(count)
