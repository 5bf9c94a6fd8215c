import jax
import jax.numpy as jnp

from graph import neighbour_table, small_world
from walks import WalkSampler, visit_counts

NUM_NODES = 60


def main():
    neighbours = small_world(NUM_NODES, degree=4)
    sampler = WalkSampler(neighbour_table(neighbours))
    walks = sampler.sample(jax.random.key(0), jnp.arange(NUM_NODES))
    counts = visit_counts(walks, NUM_NODES)
    print("walks", walks.shape)
    print("most visited", jnp.argsort(-counts)[:5])


if __name__ == "__main__":
    main()
