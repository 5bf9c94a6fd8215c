import jax.numpy as jnp


def pair_distances(x):
    delta = x[:, None, :] - x[None, :, :]
    square = jnp.sum(delta**2, axis=-1)
    apart = square > 0
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, square, 1.0)), 0.0)


def yukawa(x, charge, kappa):
    r = pair_distances(x)
    pair = jnp.outer(charge, charge) * jnp.where(r > 0, jnp.exp(-kappa * r) / jnp.where(r > 0, r, 1.0), 0.0)
    return 0.5 * jnp.sum(pair)


def total_energy(x, charge, kappa=2.0, trap=0.5):
    return yukawa(x, charge, kappa) + trap * jnp.sum(x**2)
