from typing import NamedTuple

import jax.numpy as jnp


class Growth(NamedTuple):
    size_now: float
    rate: float


def effective_size(demography, time):
    return demography.size_now * jnp.exp(-demography.rate * time)
