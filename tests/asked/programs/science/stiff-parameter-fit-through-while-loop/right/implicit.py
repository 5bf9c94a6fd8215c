"""Backward Euler with a Newton solver."""
import jax
import jax.numpy as jnp
from jax import lax

MAX_NEWTON = 8
TOLERANCE = 1e-5


def newton_solve(residual, guess):
    jacobian = jax.jacfwd(residual)

    def improve(_, x):
        update = jnp.linalg.solve(jacobian(x), residual(x))
        return jnp.where(jnp.linalg.norm(residual(x)) > TOLERANCE, x - update, x)

    return lax.fori_loop(0, MAX_NEWTON, improve, guess)


def backward_euler(field, params, state, dt):
    return newton_solve(lambda new: new - state - dt * field(new, params), state)


def integrate(field, params, start, dt, steps):
    def body(state, _):
        new = backward_euler(field, params, state, dt)
        return new, new

    return lax.scan(body, start, None, length=steps)[1]
