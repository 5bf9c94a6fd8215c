import jax.numpy as jnp


def init_hyper(n_dims):
    return {
        "log_scale": jnp.zeros(n_dims),
        "log_amp": jnp.zeros((1,)),
        "log_noise": jnp.full((1,), -2.0, jnp.float32),
    }


def rbf(hyper, a, b):
    diff = (a - b) / jnp.exp(hyper["log_scale"])
    return jnp.exp(hyper["log_amp"][0]) * jnp.exp(-0.5 * jnp.sum(diff**2))
