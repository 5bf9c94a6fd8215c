import jax.numpy as jnp

A = jnp.array([-200.0, -100.0, -170.0, 15.0])
a = jnp.array([-1.0, -1.0, -6.5, 0.7])
b = jnp.array([0.0, 0.0, 11.0, 0.6])
c = jnp.array([-10.0, -10.0, -6.5, 0.7])
X0 = jnp.array([1.0, 0.0, -0.5, -1.0])
Y0 = jnp.array([0.0, 0.5, 1.5, 1.0])


def mueller_brown(x):
    """Potential energy; x has shape (..., 2)."""
    dx = x[..., 0, None] - X0
    dy = x[..., 1, None] - Y0
    return jnp.sum(A * jnp.exp(a * dx**2 + b * dx * dy + c * dy**2), axis=-1)
