import jax
import jax.numpy as jnp

from annealer import Annealer
from tsp import random_cities, tour_length


def greedy_tour(dist):
    n = dist.shape[0]
    order = [0]
    left = set(range(1, n))
    while left:
        last = order[-1]
        nxt = min(left, key=lambda j: float(dist[last, j]))
        order.append(nxt)
        left.remove(nxt)
    return jnp.asarray(order)


def main():
    k_city, k_perm, k_run = jax.random.split(jax.random.key(6), 3)
    cities = random_cities(k_city, 24)
    dist = jnp.linalg.norm(cities[:, None] - cities[None], axis=-1)
    start = jax.random.permutation(k_perm, dist.shape[0])
    annealer = Annealer(dist, t_start=1.0, t_end=0.005, n_epochs=60, moves_per_epoch=300)
    tour, trace = annealer.run(k_run, start)
    print("random start", round(float(tour_length(dist, start)), 3))
    print("greedy", round(float(tour_length(dist, greedy_tour(dist))), 3))
    print("annealed", round(float(tour_length(dist, tour)), 3))
    print("acceptance first/last epoch", trace[0], trace[-1])


if __name__ == "__main__":
    main()
