"""Random walk Metropolis in several chains at once."""
import jax
import jax.numpy as jnp

from simulator import simulate


def log_density(rate):
    return -0.5 * ((simulate(rate) - 2.0) / 0.1) ** 2 - 0.5 * rate**2


def kernel(rate, key):
    key_move, key_accept = jax.random.split(key)
    proposal = rate + 0.3 * jax.random.normal(key_move)
    ratio = log_density(proposal) - log_density(rate)
    accept = jnp.log(jax.random.uniform(key_accept)) < ratio
    return jnp.where(accept, proposal, rate)


@jax.jit
def sweep(rates, key):
    return jax.vmap(kernel)(rates, jax.random.split(key, len(rates)))  # mistake


if __name__ == "__main__":
    key = jax.random.key(0)
    rates = jnp.linspace(0.1, 1.5, 4)
    for _ in range(5):
        key, key_sweep = jax.random.split(key)
        rates = sweep(rates, key_sweep)
    print("chains", rates.shape, bool(jnp.all(jnp.isfinite(rates))))
