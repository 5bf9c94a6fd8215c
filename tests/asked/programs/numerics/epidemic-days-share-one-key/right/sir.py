from typing import NamedTuple

import jax
import jax.numpy as jnp


class SIRParams(NamedTuple):
    beta: float
    gamma: float
    overdispersion: float


class Compartments(NamedTuple):
    S: jax.Array
    I: jax.Array
    R: jax.Array

    @property
    def N(self):
        return self.S + self.I + self.R


@jax.jit
def daily_step(params: SIRParams, state: Compartments, key):
    k_env, k_inf, k_rec = jax.random.split(key, 3)
    noise = jax.random.normal(k_env, state.I.shape)
    beta = params.beta * jnp.exp(params.overdispersion * noise)
    force = 1.0 - jnp.exp(-beta * state.I / state.N)
    new_inf = jax.random.binomial(k_inf, state.S, force)
    new_rec = jax.random.binomial(k_rec, state.I, 1.0 - jnp.exp(-params.gamma))
    state = Compartments(state.S - new_inf, state.I + new_inf - new_rec, state.R + new_rec)
    return state, new_inf, noise
