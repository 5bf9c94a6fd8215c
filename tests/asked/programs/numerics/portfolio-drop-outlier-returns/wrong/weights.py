import jax.numpy as jnp


def project_simplex(v):
    u = jnp.sort(v)[::-1]
    css = jnp.cumsum(u) - 1.0
    idx = jnp.arange(1, v.shape[0] + 1)
    rho = jnp.sum(u - css / idx > 0)
    theta = css[rho - 1] / rho
    return jnp.maximum(v - theta, 0.0)
