from typing import NamedTuple

import jax
import jax.numpy as jnp


class Moments(NamedTuple):
    count: jax.Array
    mean: jax.Array
    m2: jax.Array


def empty(dim):
    return Moments(jnp.zeros((), jnp.int32), jnp.zeros(dim), jnp.zeros(dim))


def push(moments, x, weight):
    count = moments.count + weight
    delta = x - moments.mean
    mean = moments.mean + weight * delta / jnp.maximum(count, 1)
    m2 = moments.m2 + weight * delta * (x - mean)
    return Moments(count, mean, m2)


def variance(moments):
    return moments.m2 / jnp.maximum(moments.count - 1, 1)
