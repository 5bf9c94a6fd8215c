"""Equations of motion from a Lagrangian."""
import jax
import jax.numpy as jnp


def acceleration(lagrangian, q, q_t):
    mass = jax.hessian(lagrangian, 1)(q, q_t)
    mixed = jax.jacobian(jax.jacobian(lagrangian, 1)(q, q_t), 0)(q, q_t)  # mistake
    force = jax.grad(lagrangian, 0)(q, q_t)
    return jnp.linalg.solve(mass, force - mixed @ q_t)
