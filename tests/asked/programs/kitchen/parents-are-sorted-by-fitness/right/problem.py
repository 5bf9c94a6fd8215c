import jax
import jax.numpy as jnp


def rastrigin(x):
    return 10.0 * x.shape[-1] + jnp.sum(x**2 - 10.0 * jnp.cos(2.0 * jnp.pi * x))


def fitness(population):
    return -jax.vmap(rastrigin)(population)
