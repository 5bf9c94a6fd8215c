"""A loss, and a training step that is compiled. `jaxlint check docs/example` tells what is wrong with it."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def predict(parameters, inputs):
    weights, bias = parameters
    hidden = np.tanh(inputs @ weights + bias)
    return hidden[:, 0]


def loss(parameters, inputs, targets):
    error = predict(parameters, inputs) - targets
    return jnp.mean(error**2)


@partial(jax.jit, static_argnames="rate")
def step(parameters, inputs, targets, rate):
    value, gradients = jax.value_and_grad(loss)(parameters, inputs, targets)
    if value > 1e3:
        value = jnp.inf
    return value, jax.tree.map(lambda p, g: p - rate * g, parameters, gradients)
