import jax.numpy as jnp


def clear_sky(observed):
    return jnp.isfinite(observed)


def clear_sky_mse(predicted, observed):
    seen = clear_sky(observed)
    error = predicted - jnp.where(seen, observed, predicted)
    return jnp.sum(error**2) / jnp.maximum(jnp.sum(seen), 1)
