"""A leaky reservoir of random units."""
import jax
import jax.numpy as jnp


def create(key, size):
    key_inner, key_input = jax.random.split(key)
    inner = jax.random.normal(key_inner, (size, size)) / size**0.5
    return {"inner": 0.9 * inner, "input": jax.random.normal(key_input, (size,))}


def cell(params, state, value):
    drive = jnp.tanh(params["inner"] @ state + params["input"] * value)
    new = 0.7 * state + 0.3 * drive
    return drive, new  # mistake
