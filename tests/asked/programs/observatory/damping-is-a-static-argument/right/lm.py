from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("residual_fn",))
def propose(theta, data, residual_fn, damping):
    r = residual_fn(theta, data)
    jac = jax.jacfwd(residual_fn)(theta, data)
    normal = jac.T @ jac
    step = jnp.linalg.solve(normal + damping * jnp.diag(jnp.diag(normal) + 1e-6), jac.T @ r)
    new = theta - step
    return new, jnp.sum(residual_fn(new, data) ** 2), jnp.sum(r**2)


def minimise(theta, data, residual_fn, iterations=14, damping=1.0):
    for _ in range(iterations):
        new, cost_new, cost = propose(theta, data, residual_fn=residual_fn, damping=damping)
        if cost_new < cost:
            theta, damping = new, damping / 3.0
        else:
            damping = damping * 2.0
    return theta, jnp.minimum(cost, cost_new)
