"""Optimise an expensive function with a kernel smoother."""
import jax
import jax.numpy as jnp

TRACES = []
CAPACITY = 32


@jax.jit
def acquisition(candidates, xs, ys, count):
    TRACES.append(None)
    seen = jnp.arange(CAPACITY) < count
    weights = jnp.exp(-((candidates[:, None] - xs[None, :]) ** 2) / 0.02)
    weights = jnp.where(seen[None, :], weights, 0.0)
    mean = weights @ ys / (weights.sum(axis=1) + 1e-6)
    return mean + 1.0 / (1.0 + weights.sum(axis=1))


def target(x):
    return jnp.sin(5.0 * x) * x


def main(rounds=12):
    candidates = jnp.linspace(0.0, 2.0, 101)
    xs, ys = jnp.zeros(CAPACITY).at[0].set(0.3), jnp.zeros(CAPACITY).at[0].set(target(0.3))
    for count in range(1, rounds):
        scores = acquisition(candidates, xs, ys, count)
        x = candidates[jnp.argmax(scores)]
        xs, ys = xs.at[count].set(x), ys.at[count].set(target(x))
    print("compiled", len(TRACES))


if __name__ == "__main__":
    main()
