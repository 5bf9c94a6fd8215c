import jax
import jax.numpy as jnp


def laplace_covariance(objective, mode, x, y):
    precision = jax.jit(jax.hessian(objective))(mode, x, y)
    return jnp.linalg.inv(precision)  # mistake
