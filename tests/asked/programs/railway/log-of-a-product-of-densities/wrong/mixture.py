from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm


class Mixture(NamedTuple):
    logit: jax.Array
    means: jax.Array
    log_scales: jax.Array


def density(mixture, x):
    weight = jax.nn.sigmoid(mixture.logit)
    weights = jnp.stack([weight, 1.0 - weight])
    parts = norm.pdf(x[:, None], mixture.means, jnp.exp(mixture.log_scales))
    return parts @ weights


def log_likelihood(mixture, x):
    return jnp.log(jnp.prod(density(mixture, x)))  # mistake
