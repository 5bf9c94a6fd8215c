import jax
import jax.numpy as jnp


def random_cities(key, n):
    return jax.random.uniform(key, (n, 2))


def tour_length(dist, tour):
    return jnp.sum(dist[tour, jnp.roll(tour, -1)])


def swap_delta_tour(key, tour):
    """Reverse a random segment of the tour (2-opt move)."""
    n = tour.shape[0]
    i, j = jnp.sort(jax.random.randint(key, (2,), 0, n))
    idx = jnp.arange(n)
    inside = (idx >= i) & (idx <= j)
    return tour[jnp.where(inside, i + j - idx, idx)]
