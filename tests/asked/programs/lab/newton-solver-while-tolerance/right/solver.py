import jax
import jax.numpy as jnp


def newton(residual, u0, tol=1e-5, max_iters=20):
    jac = jax.jacfwd(residual)

    def update(u):
        return u - jnp.linalg.solve(jac(u), residual(u))

    def keep_going(carry):
        u, i = carry
        return (jnp.linalg.norm(residual(u)) > tol) & (i < max_iters)

    def body(carry):
        u, i = carry
        return update(u), i + 1

    return jax.lax.while_loop(keep_going, body, (u0, 0))
