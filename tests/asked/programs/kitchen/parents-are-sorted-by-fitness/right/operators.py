import jax
import jax.numpy as jnp


def select_parents(population, scores, num_parents):
    _, best = jax.lax.top_k(scores, num_parents)
    return population[best]


def crossover(key, parents, num_children):
    pick_key, mask_key = jax.random.split(key)
    pairs = jax.random.randint(pick_key, (num_children, 2), 0, parents.shape[0])
    mask = jax.random.bernoulli(mask_key, 0.5, (num_children, parents.shape[1]))
    return jnp.where(mask, parents[pairs[:, 0]], parents[pairs[:, 1]])


def mutate(key, genomes, sigma):
    return genomes + sigma * jax.random.normal(key, genomes.shape)
