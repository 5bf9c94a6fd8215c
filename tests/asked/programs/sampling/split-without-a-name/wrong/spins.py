"""An Ising model on a ring."""
import jax
import jax.numpy as jnp


def random_spins(key, size):
    return jnp.where(jax.random.bernoulli(key, 0.5, (size,)), 1, -1)


@jax.jit
def flip(key, spins, coupling):
    """Propose to flip one of the spins."""
    key_site, key_accept = jax.random.split(key)
    site = jax.random.randint(key_site, (), 0, spins.size)
    around = jnp.roll(spins, 1)[site] + jnp.roll(spins, -1)[site]
    cost = 2.0 * coupling * spins[site] * around
    accept = jnp.log(jax.random.uniform(key_accept)) < -cost
    return spins.at[site].multiply(jnp.where(accept, -1, 1)), site
