"""A Metropolis kernel that changes one setting after the other."""

import jax
import jax.numpy as jnp


def kernel(key, setting, log_density):
    """One sweep; gives the new setting and the two draws."""
    first = jax.random.normal(key)  # mistake
    key, accept_key = jax.random.split(key)  # mistake
    second = jax.random.normal(key)
    proposal = setting + 0.8 * jnp.stack([first, second])
    gain = log_density(proposal) - log_density(setting)
    accepted = jnp.log(jax.random.uniform(accept_key)) < gain
    return jnp.where(accepted, proposal, setting), jnp.stack([first, second])
