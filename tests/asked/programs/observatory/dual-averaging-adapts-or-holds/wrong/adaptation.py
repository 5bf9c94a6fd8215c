from typing import NamedTuple

import jax
import jax.numpy as jnp


class Adapt(NamedTuple):
    log_step: jax.Array
    log_avg: jax.Array
    h_avg: jax.Array
    count: jax.Array


def initial(step_size):
    log_step = jnp.log(step_size)
    return Adapt(log_step, jnp.zeros_like(log_step), jnp.zeros_like(log_step), jnp.zeros_like(log_step))


def _adapt(state, accept_prob, target=0.6, gamma=0.05, t0=10.0, kappa=0.75):
    count = state.count + 1.0
    w = 1.0 / (count + t0)
    h_avg = (1 - w) * state.h_avg + w * (target - accept_prob)
    log_step = jnp.log(0.1) - jnp.sqrt(count) / gamma * h_avg
    eta = count ** -kappa
    log_avg = eta * log_step + (1 - eta) * state.log_avg
    return Adapt(log_step, log_avg, h_avg, count), jnp.exp(log_step)


def _hold(state, accept_prob):
    return state  # mistake


def update(state, accept_prob, warming_up):
    return jax.lax.cond(warming_up, _adapt, _hold, state, accept_prob)  # mistake
