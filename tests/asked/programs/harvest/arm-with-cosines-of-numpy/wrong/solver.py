import jax
import jax.numpy as jnp

from kinematics import hand

DAMPING = 0.05


@jax.jit
def improve(angles, lengths, target):
    """One step of damped least squares."""
    error = target - hand(angles, lengths)
    jacobian = jax.jacobian(hand)(angles, lengths)
    square = jacobian @ jacobian.T + DAMPING**2 * jnp.eye(2)
    return angles + jacobian.T @ jnp.linalg.solve(square, error)


def reach(angles, lengths, target, n_steps=40):
    for _ in range(n_steps):
        angles = improve(angles, lengths, target)
    return angles
