from functools import partial

import jax
import jax.numpy as jnp


def objective(w, x, y, penalty):
    margin = (x @ w[1:] + w[0]) * (2 * y - 1)
    return jnp.mean(jnp.log1p(jnp.exp(-margin))) + penalty * jnp.sum(w[1:] ** 2)


def newton_step(w, x, y, penalty):
    grad = jax.grad(objective)(w, x, y, penalty)
    hess = jax.hessian(objective)(w, x, y, penalty)
    return w - jnp.linalg.solve(hess + 1e-4 * jnp.eye(w.size), grad)


def fit(x, y, penalty, iterations=8):
    step = jax.jit(partial(newton_step, penalty=penalty))  # mistake
    w = jnp.zeros(x.shape[1] + 1)
    for _ in range(iterations):
        w = step(w, x, y)
    return w
