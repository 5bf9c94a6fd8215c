from functools import partial

import jax
import jax.numpy as jnp


def distance(simulated, observed):
    return jnp.abs(simulated.mean(axis=-1) - observed.mean())


@partial(jax.jit, static_argnames=("prior", "simulator", "n_simulations", "n_keep"))
def rejection(key, prior, simulator, observed, n_simulations, n_keep):
    n_obs = observed.shape[0]
    key_prior, key_simulator = jax.random.split(key)
    thetas = jax.vmap(prior)(jax.random.split(key_prior, n_simulations))
    keys = jax.random.split(key_simulator, n_simulations)
    simulated = jax.vmap(lambda k, theta: simulator(k, theta, n_obs))(keys, thetas)
    keep = jnp.argsort(distance(simulated, observed))[:n_keep]
    return thetas, simulated, keep
