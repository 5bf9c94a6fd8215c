import jax.numpy as jnp


def mean_squared_error(pred, target):
    return jnp.mean(jnp.square(pred - target))


def r2_score(pred, target):
    residual = jnp.sum((pred - target) ** 2)
    return 1.0 - residual / jnp.sum((target - target.mean()) ** 2)
