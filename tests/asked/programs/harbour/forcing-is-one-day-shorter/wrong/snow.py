from typing import NamedTuple

import jax
import jax.numpy as jnp


class SnowParams(NamedTuple):
    log_melt_rate: jax.Array
    threshold: jax.Array


def advance(params: SnowParams, depth, temperature, precipitation):
    frozen = jax.nn.sigmoid(2.0 * (params.threshold - temperature))
    melt = jnp.exp(params.log_melt_rate) * jax.nn.relu(temperature)
    return jax.nn.softplus(depth + frozen * precipitation - melt - 0.1)


def misfit(params: SnowParams, start, temperature, precipitation, observed):
    def day(depth, inputs):
        temperature, precipitation, measured = inputs
        depth = advance(params, depth, temperature, precipitation)
        return depth, (depth - measured) ** 2

    _, errors = jax.lax.scan(day, start, (temperature, precipitation, observed))  # mistake
    return jnp.mean(errors)
