import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def laplace_covariance(objective, mode, x, y):
    flat, unravel = ravel_pytree(mode)
    precision = jax.jit(jax.hessian(lambda v: objective(unravel(v), x, y)))(flat)
    return jnp.linalg.inv(precision)
