import jax
import jax.numpy as jnp


def call(prices, strike):
    return jax.nn.relu(prices - strike)


def digital(prices, strike):
    return (prices > strike).astype(jnp.float32)  # mistake
