"""Random shifts of one-dimensional signals."""
import jax
import jax.numpy as jnp


@jax.jit
def augment(key, signals):
    shifts = jax.random.randint(key, (len(signals),), 0, signals.shape[1])
    return jax.vmap(jnp.roll)(signals, shifts), shifts
