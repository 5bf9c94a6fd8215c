"""Gradient descent that adapts its step size."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    count: jax.Array
    step_size: jax.Array
    value: jax.Array


def init_state():
    return State(0, 0.01, float("inf"))  # mistake


@partial(jax.jit, static_argnums=0)
def update(fun, params, state, *args):
    value, slope = jax.value_and_grad(fun)(params, *args)
    better = value < state.value
    step_size = jnp.where(better, 1.1 * state.step_size, 0.5 * state.step_size)
    params = params - step_size * slope
    return params, State(state.count + 1, step_size, value)
