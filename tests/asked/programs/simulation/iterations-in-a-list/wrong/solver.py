"""A conjugate gradient solver."""
import jax
import jax.numpy as jnp

iterations = [0]


def solve(matrix, right, tolerance=1e-4):
    def is_far(state):
        _, residual, _ = state
        return jnp.linalg.norm(residual) > tolerance

    def improve(state):
        iterations[0] += 1  # mistake
        x, residual, direction = state
        along = matrix @ direction
        share = residual @ residual / (direction @ along)
        following = residual - share * along
        ratio = following @ following / (residual @ residual)
        return x + share * direction, following, following + ratio * direction

    return jax.lax.while_loop(is_far, improve, (jnp.zeros_like(right), right, right))[0]
