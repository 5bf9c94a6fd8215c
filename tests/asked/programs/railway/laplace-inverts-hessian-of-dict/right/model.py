import jax
import jax.numpy as jnp

PRIOR_SCALE = 2.0


def log_prior(params):
    squares = jax.tree.map(lambda p: jnp.sum(p**2), params)
    return -0.5 * sum(jax.tree.leaves(squares)) / PRIOR_SCALE**2


def log_likelihood(params, x, y):
    logits = params["bias"] + x @ params["weights"]
    return jnp.sum(y * jax.nn.log_sigmoid(logits) + (1 - y) * jax.nn.log_sigmoid(-logits))


def negative_log_posterior(params, x, y):
    return -(log_prior(params) + log_likelihood(params, x, y))
