"""Random-walk chains."""

import jax
import jax.numpy as jnp
from target import log_posterior


def transition(key, theta, measured, scale):
    k_move, k_accept = jax.random.split(key)
    proposal = theta + scale * jax.random.normal(k_move, theta.shape)
    ratio = log_posterior(proposal, measured) - log_posterior(theta, measured)
    accept = jnp.log(jax.random.uniform(k_accept)) < ratio
    return jnp.where(accept, proposal, theta)


def chain(key, start, measured, length, scale=0.03):
    def body(theta, k):
        theta = transition(k, theta, measured, scale)
        return theta, theta

    return jax.lax.scan(body, start, jax.random.split(key, length))[1]  # mistake


def run(key, starts, measured, length=300):
    many = jax.vmap(chain, in_axes=(None, 0, None, None))  # mistake
    return many(key, starts, measured, length)  # mistake
