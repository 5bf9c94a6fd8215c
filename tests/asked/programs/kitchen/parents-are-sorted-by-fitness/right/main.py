from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from operators import crossover, mutate, select_parents
from problem import fitness


class Settings(NamedTuple):
    population: int = 48
    parents: int = 12
    dim: int = 5
    sigma: float = 0.15


@partial(jax.jit, static_argnames="settings")
def generation(key, population, settings):
    scores = fitness(population)
    parents = select_parents(population, scores, settings.parents)
    cross_key, mutate_key = jax.random.split(key)
    children = crossover(cross_key, parents, settings.population - settings.parents)
    children = mutate(mutate_key, children, settings.sigma)
    return jnp.concatenate([parents, children]), jnp.max(scores)


def main():
    settings = Settings()
    init_key, run_key = jax.random.split(jax.random.key(0))
    population = jax.random.uniform(
        init_key, (settings.population, settings.dim), minval=-5.0, maxval=5.0
    )
    for index, key in enumerate(jax.random.split(run_key, 60)):
        population, best = generation(key, population, settings)
        if index % 20 == 19:
            print(f"generation {index + 1}: best {best:.3f}")


if __name__ == "__main__":
    main()
