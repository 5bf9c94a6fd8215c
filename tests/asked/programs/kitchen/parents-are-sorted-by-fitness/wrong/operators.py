import jax
import jax.numpy as jnp


def select_parents(population, scores, num_parents):
    ranked = sorted(zip(scores, population), key=lambda pair: pair[0], reverse=True)  # mistake
    return jnp.stack([genome for _, genome in ranked[:num_parents]])


def crossover(key, parents, num_children):
    pick_key, mask_key = jax.random.split(key)
    pairs = jax.random.randint(pick_key, (num_children, 2), 0, parents.shape[0])
    mask = jax.random.bernoulli(mask_key, 0.5, (num_children, parents.shape[1]))
    return jnp.where(mask, parents[pairs[:, 0]], parents[pairs[:, 1]])


def mutate(key, genomes, sigma):
    return genomes + sigma * jax.random.normal(key, genomes.shape)
