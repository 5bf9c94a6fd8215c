"""Diagnostics of Markov chains."""
import jax
import jax.numpy as jnp


def autocorrelation(chain, lag):
    centred = chain - chain.mean()
    shifted = jnp.roll(centred, -lag)
    valid = jnp.arange(chain.shape[0]) < chain.shape[0] - lag
    return jnp.sum(jnp.where(valid, centred * shifted, 0.0)) / jnp.sum(valid) / jnp.var(chain)


@jax.jit
def autocorrelations(chain, lags):
    return jax.vmap(autocorrelation, in_axes=(None, 0))(chain, lags)
