"""A glider in gusts of wind."""
import jax
import jax.numpy as jnp


def reset(key):
    return jax.random.uniform(key, (2,), minval=-1.0, maxval=1.0)


def step(key, state, action):
    gust = 0.1 * jax.random.normal(key, (2,))
    state = state + 0.2 * action + gust
    return state, -jnp.sum(state**2)
