"""Jacobi iteration."""
import jax
import jax.numpy as jnp


def jacobi(matrix, rhs, tolerance=1e-5, limit=500):
    diagonal = jnp.diag(matrix)
    rest = matrix - jnp.diag(diagonal)

    def unfinished(state):
        x, count = state
        residual = jnp.abs(matrix @ x - rhs)
        return jnp.any(residual > tolerance) & (count < limit)

    def sweep(state):
        x, count = state
        return (rhs - rest @ x) / diagonal, count + 1

    return jax.lax.while_loop(unfinished, sweep, (jnp.zeros_like(rhs), 0))
