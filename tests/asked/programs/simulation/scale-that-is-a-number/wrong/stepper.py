"""Gradient steps with one step size, or one per coordinate."""
import jax
import jax.numpy as jnp


def preconditioner(step_size, size):
    if isinstance(step_size, float):  # mistake
        return step_size * jnp.eye(size)
    return jnp.diag(jnp.resize(step_size, size) / jnp.arange(1, size + 1))


def energy(x):
    return jnp.sum(0.5 * jnp.arange(1.0, len(x) + 1.0) * x**2)


@jax.jit
def descend(x, step_size):
    return x - preconditioner(step_size, len(x)) @ jax.grad(energy)(x)
