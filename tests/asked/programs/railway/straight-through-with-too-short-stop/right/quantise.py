import jax
import jax.numpy as jnp


def quantise(x, levels):
    steps = levels - 1
    return x + jax.lax.stop_gradient(jnp.round(x * steps) / steps - x)
