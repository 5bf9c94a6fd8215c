import jax
import jax.numpy as jnp


def neighbour_matches(spins, candidate):
    total = jnp.zeros(spins.shape)
    for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
        total += jnp.roll(spins, shift, axis) == candidate
    return total


def half_sweep(key, spins, parity, beta, q):
    k_new, k_u = jax.random.split(key)
    proposal = jax.random.randint(k_new, spins.shape, 0, q)
    gain = neighbour_matches(spins, proposal) - neighbour_matches(spins, spins)
    accept = jnp.log(jax.random.uniform(k_u, spins.shape)) < beta * gain
    new = jnp.where(accept, proposal, spins)
    spins = spins.at[parity::2, ::2].set(new[parity::2, ::2])
    spins = spins.at[1 - parity::2, 1::2].set(new[1 - parity::2, 1::2])
    return spins


def sweep(key, spins, beta, q):
    for parity, k in enumerate(jax.random.split(key)):
        spins = half_sweep(k, spins, parity, beta, q)
    return spins
