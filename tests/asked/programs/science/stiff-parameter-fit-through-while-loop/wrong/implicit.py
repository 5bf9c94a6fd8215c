"""Backward Euler with a Newton solver."""
import jax
import jax.numpy as jnp
from jax import lax

MAX_NEWTON = 8
TOLERANCE = 1e-5


def newton_solve(residual, guess):
    jacobian = jax.jacfwd(residual)

    def unconverged(carry):
        x, count = carry
        return (jnp.linalg.norm(residual(x)) > TOLERANCE) & (count < MAX_NEWTON)

    def improve(carry):
        x, count = carry
        return x - jnp.linalg.solve(jacobian(x), residual(x)), count + 1

    solution, _ = lax.while_loop(unconverged, improve, (guess, 0))  # mistake
    return solution


def backward_euler(field, params, state, dt):
    return newton_solve(lambda new: new - state - dt * field(new, params), state)


def integrate(field, params, start, dt, steps):
    def body(state, _):
        new = backward_euler(field, params, state, dt)
        return new, new

    return lax.scan(body, start, None, length=steps)[1]
