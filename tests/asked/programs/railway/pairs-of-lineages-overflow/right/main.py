import jax
import jax.numpy as jnp

from ancestry import first_mergers
from rates import merger_rate


def describe(n_samples, n_trees=500):
    key = jax.random.fold_in(jax.random.key(5), n_samples)
    times = first_mergers(key, jnp.int32(n_samples), n_trees, n_mergers=20)
    rate = merger_rate(jnp.int32(n_samples), 1.0)
    print(n_samples, "rate", f"{float(rate):.4g}")
    print(n_samples, "time of 20 mergers times rate", round(float(times.mean() * abs(rate)), 1))
    print(n_samples, "all times are positive:", bool((times > 0).all()))


if __name__ == "__main__":
    for n_samples in (100, 10_000, 60_000):
        describe(n_samples)
