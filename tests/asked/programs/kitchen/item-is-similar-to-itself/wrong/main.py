import jax.numpy as jnp
import numpy as np

from metrics import coverage, hit_rate
from neighbours import cosine_similarity, recommend


def simulate_baskets(num_users=300, num_items=60, num_tastes=5, seed=0):
    rng = np.random.default_rng(seed)
    taste_of_item = np.arange(num_items) % num_tastes
    baskets = np.zeros((num_users, num_items), np.float32)
    held_out = np.zeros(num_users, np.int32)
    for user in range(num_users):
        liked = np.flatnonzero(taste_of_item == rng.integers(num_tastes))
        chosen = rng.choice(liked, 6, replace=False)
        baskets[user, chosen[1:]] = 1.0
        baskets[user, rng.integers(num_items)] = 1.0
        held_out[user] = chosen[0]
        baskets[user, chosen[0]] = 0.0
    return baskets, held_out


def main():
    baskets, held_out = simulate_baskets()
    interactions = jnp.asarray(baskets)
    similarity = cosine_similarity(interactions)
    for k in (5, 10):
        items = recommend(interactions, similarity, k=k)
        rate = hit_rate(items, jnp.asarray(held_out))
        print(f"hit rate at {k}: {rate:.3f} coverage {coverage(items, baskets.shape[1]):.2f}")


if __name__ == "__main__":
    main()
