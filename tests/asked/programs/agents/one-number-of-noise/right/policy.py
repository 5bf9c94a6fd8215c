"""Actions of a linear policy with Gaussian exploration."""
import jax
import jax.numpy as jnp


def init(key, observed, joints):
    return 0.1 * jax.random.normal(key, (observed, joints))


@jax.jit
def explore(weights, observations, key, scale=0.3):
    actions = jnp.tanh(observations @ weights)
    noise = scale * jax.random.normal(key, actions.shape)
    return actions + noise, noise
