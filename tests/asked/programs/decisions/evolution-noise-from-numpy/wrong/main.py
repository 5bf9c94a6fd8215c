import jax
import jax.numpy as jnp

from strategy import OpenES

TARGET = jnp.array([0.5, -0.3, 0.8, -1.0, 0.2, 0.9])


def fitness_fn(theta):
    return -jnp.sum((theta - TARGET) ** 2)


def make_generation(strategy):
    @jax.jit
    def generation(mean):
        population, noise = strategy.ask(mean)
        fitness = jax.vmap(fitness_fn)(population)
        return strategy.tell(mean, noise, fitness), fitness.max(), noise[0, 0]

    return generation


def main():
    strategy = OpenES(dim=6, popsize=8)
    mean = strategy.initial_mean()
    generation = make_generation(strategy)
    best, seen = -jnp.inf, set()
    for _ in range(60):
        mean, top, probe = generation(mean)
        best = jnp.maximum(best, top)
        seen.add(round(float(probe), 5))
    print(f"best {best:.4f}  final {fitness_fn(mean):.4f}")
    print("distinct perturbations", len(seen))


if __name__ == "__main__":
    main()
