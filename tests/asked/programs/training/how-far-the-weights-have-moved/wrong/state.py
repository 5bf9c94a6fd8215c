"""What is trained."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

OPTIMIZER = optax.adamw(3e-3)


class State(NamedTuple):
    params: Any
    opt_state: Any
    step: jax.Array


def create(key, inputs, hidden=16):
    k1, k2 = jax.random.split(key)
    params = {
        "in": jax.random.normal(k1, (inputs, hidden)) / inputs**0.5,
        "out": jax.random.normal(k2, (hidden, 1)) / hidden**0.5,
    }
    return State(params, OPTIMIZER.init(params), jnp.zeros((), jnp.int32))
