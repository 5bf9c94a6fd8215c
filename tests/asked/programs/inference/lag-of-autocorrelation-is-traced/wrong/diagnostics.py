"""Diagnostics of Markov chains."""
import jax
import jax.numpy as jnp


def autocorrelation(chain, lag):
    centred = chain - chain.mean()
    return jnp.mean(centred[:-lag] * centred[lag:]) / jnp.var(chain)  # mistake


@jax.jit
def autocorrelations(chain, lags):
    return jax.vmap(autocorrelation, in_axes=(None, 0))(chain, lags)
