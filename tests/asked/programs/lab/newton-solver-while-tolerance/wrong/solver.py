import jax
import jax.numpy as jnp


def newton(residual, u0, tol=1e-5, max_iters=20):
    jac = jax.jacfwd(residual)

    def update(u):
        return u - jnp.linalg.solve(jac(u), residual(u))

    u, i = u0, 0
    while jnp.linalg.norm(residual(u)) > tol and i < max_iters:  # mistake
        u = update(u)
        i += 1
    return u, i
