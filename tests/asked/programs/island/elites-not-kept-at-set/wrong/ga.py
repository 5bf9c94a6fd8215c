from dataclasses import dataclass
from typing import Callable

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class GAConfig:
    population: int
    num_elites: int
    mutation: float
    dim: int
    tournament: int = 3
    bounds: float = 5.0


class GeneticSearch:
    def __init__(self, objective: Callable, config: GAConfig):
        self.objective = objective
        self.cfg = config

    def init(self, key):
        shape = (self.cfg.population, self.cfg.dim)
        return jax.random.uniform(key, shape, minval=-self.cfg.bounds, maxval=self.cfg.bounds)

    def select(self, key, population, costs):
        shape = (self.cfg.population, self.cfg.tournament)
        rivals = jax.random.randint(key, shape, 0, self.cfg.population)
        winners = jnp.argmin(costs[rivals], axis=1)
        return population[jnp.take_along_axis(rivals, winners[:, None], axis=1)[:, 0]]

    def crossover(self, key, mothers, fathers):
        take = jax.random.bernoulli(key, 0.5, mothers.shape)
        return jnp.where(take, mothers, fathers)

    def generation(self, population, key):
        mother_key, father_key, cross_key, mutate_key = jax.random.split(key, 4)
        costs = jax.vmap(self.objective)(population)
        mothers = self.select(mother_key, population, costs)
        fathers = self.select(father_key, population, costs)
        children = self.crossover(cross_key, mothers, fathers)
        children = children + self.cfg.mutation * jax.random.normal(mutate_key, children.shape)
        elites = population[jnp.argsort(costs)[: self.cfg.num_elites]]
        children.at[: self.cfg.num_elites].set(elites)  # mistake
        return children, costs.min()
