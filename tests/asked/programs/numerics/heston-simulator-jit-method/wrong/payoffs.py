import jax.numpy as jnp


def european_call(paths, strike):
    return jnp.maximum(paths[-1] - strike, 0.0)


def asian_call(paths, strike):
    return jnp.maximum(paths.mean(axis=0) - strike, 0.0)
