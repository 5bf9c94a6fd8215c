"""A Gaussian policy."""
import jax
import jax.numpy as jnp


@jax.jit
def act(weights, observation, key):
    mean = jnp.tanh(weights @ observation)
    return mean + 0.3 * jax.random.normal(key, mean.shape)
