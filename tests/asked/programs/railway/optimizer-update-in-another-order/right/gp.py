import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve


def kernel(params, a, b):
    d2 = (a[:, None] - b[None, :]) ** 2
    return jnp.exp(2 * params["log_amplitude"] - 0.5 * d2 / jnp.exp(2 * params["log_length"]))


def factor(params, x):
    noise = jnp.exp(2 * params["log_noise"]) + 1e-5
    return cho_factor(kernel(params, x, x) + noise * jnp.eye(x.shape[0]), lower=True)


def negative_log_evidence(params, x, y):
    chol, lower = factor(params, x)
    alpha = cho_solve((chol, lower), y)
    return 0.5 * y @ alpha + jnp.sum(jnp.log(jnp.diag(chol)))


@jax.jit
def posterior_mean(params, x, y, grid):
    return kernel(params, grid, x) @ cho_solve(factor(params, x), y)
