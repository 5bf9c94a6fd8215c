import jax
import jax.numpy as jnp

from fitness import rastrigin
from ga import GAConfig, GeneticSearch


def main():
    config = GAConfig(population=64, num_elites=4, mutation=0.6, dim=6)
    search = GeneticSearch(rastrigin, config)
    init_key, run_key = jax.random.split(jax.random.key(31))
    population = search.init(init_key)

    @jax.jit
    def evolve(population, keys):
        return jax.lax.scan(search.generation, population, keys)

    population, best = evolve(population, jax.random.split(run_key, 120))
    for i in range(0, 120, 20):
        print(f"generation {i:3d} best {float(best[i]):.3f}")
    setbacks = int(jnp.sum(best[1:] > best[:-1] + 1e-6))
    print("final", round(float(jax.vmap(rastrigin)(population).min()), 3), "setbacks", setbacks)


if __name__ == "__main__":
    main()
