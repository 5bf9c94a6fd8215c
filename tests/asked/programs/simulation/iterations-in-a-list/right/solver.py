"""A conjugate gradient solver."""
import jax
import jax.numpy as jnp


def solve(matrix, right, tolerance=1e-4):
    def is_far(state):
        _, residual, _, _ = state
        return jnp.linalg.norm(residual) > tolerance

    def improve(state):
        x, residual, direction, count = state
        along = matrix @ direction
        share = residual @ residual / (direction @ along)
        following = residual - share * along
        ratio = following @ following / (residual @ residual)
        return x + share * direction, following, following + ratio * direction, count + 1

    start = (jnp.zeros_like(right), right, right, 0)
    x, _, _, count = jax.lax.while_loop(is_far, improve, start)
    return x, count
