import jax
import jax.numpy as jnp

from coalescent import simulate_trees
from demography import Growth, effective_size


def main():
    demography = Growth(size_now=1.0, rate=0.5)
    print("size at time 1:", float(effective_size(demography, 1.0)))
    times = simulate_trees(jax.random.key(11), 2000, demography, n_samples=8)
    heights = times[:, -1]
    lengths = (jnp.diff(times, axis=1, prepend=0.0) * jnp.arange(8, 1, -1)).sum(axis=1)
    print("mean height", round(float(heights.mean()), 3))
    print("mean length", round(float(lengths.mean()), 3))


if __name__ == "__main__":
    main()
