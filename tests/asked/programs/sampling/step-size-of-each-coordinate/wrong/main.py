"""Metropolis within Gibbs for a curved density, with adapted step sizes."""

import jax
import jax.numpy as jnp
from jax import random

TARGET = 0.44
DIM = 2


def log_density(x):
    return -0.5 * (x[0] ** 2 / 4.0 + (x[1] - 0.3 * x[0] ** 2) ** 2)


def update_coordinate(key, x, i, scale):
    k_move, k_accept = random.split(key)
    proposal = x.at[i].add(scale * random.normal(k_move))
    ratio = log_density(proposal) - log_density(x)
    accepted = jnp.log(random.uniform(k_accept)) < ratio
    return jnp.where(accepted, proposal, x), accepted


def adapt(log_scale, rate, iteration):
    delta = jnp.minimum(0.05, (iteration + 1.0) ** -0.5)
    if rate > TARGET:  # mistake
        return log_scale + delta
    return log_scale - delta


def sweep(state, inputs):
    x, log_scales, accepts = state
    key, iteration = inputs
    keys = random.split(key, DIM)
    for i in range(DIM):
        x, accepted = update_coordinate(keys[i], x, i, jnp.exp(log_scales[i]))
        accepts = accepts.at[i].add(accepted)
        rate = accepts[i] / (iteration + 1.0)
        log_scales = log_scales.at[i].set(adapt(log_scales[i], rate, iteration))
    return (x, log_scales, accepts), x


def run(key, length):
    state = (jnp.zeros(DIM), jnp.zeros(DIM), jnp.zeros(DIM))
    inputs = (random.split(key, length), jnp.arange(length))
    return jax.lax.scan(sweep, state, inputs)


def main():
    (x, log_scales, accepts), draws = run(random.key(12), 400)
    rates = accepts / 400
    print("draws", draws.shape)
    print("rates near the target:", bool((jnp.abs(rates - TARGET) < 0.2).all()))


if __name__ == "__main__":
    main()
