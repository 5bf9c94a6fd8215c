import jax.numpy as jnp


def rastrigin(x, amplitude: float = 3.0):
    """Lower is better, zero at the origin."""
    waves = amplitude * (1.0 - jnp.cos(2.0 * jnp.pi * x))
    return jnp.sum(x**2 + waves)
