import jax.numpy as jnp


def gaussian_nll(mean, log_var, target):
    return 0.5 * jnp.mean(log_var + (target - mean) ** 2 * jnp.exp(-log_var))


def r2_score(target, prediction):
    residual = jnp.sum((target - prediction) ** 2)
    return 1.0 - residual / jnp.sum((target - target.mean()) ** 2)
