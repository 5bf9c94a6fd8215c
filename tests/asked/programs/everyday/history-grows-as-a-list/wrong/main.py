"""Optimise an expensive function with a kernel smoother."""
import jax
import jax.numpy as jnp

TRACES = []
CAPACITY = 32


@jax.jit
def acquisition(candidates, xs, ys):
    TRACES.append(None)
    xs, ys = jnp.stack(xs), jnp.stack(ys)
    weights = jnp.exp(-((candidates[:, None] - xs[None, :]) ** 2) / 0.02)
    mean = weights @ ys / (weights.sum(axis=1) + 1e-6)
    return mean + 1.0 / (1.0 + weights.sum(axis=1))


def target(x):
    return jnp.sin(5.0 * x) * x


def main(rounds=12):
    candidates = jnp.linspace(0.0, 2.0, 101)
    xs, ys = [jnp.array(0.3)], [target(jnp.array(0.3))]
    for count in range(1, rounds):
        scores = acquisition(candidates, xs, ys)  # mistake
        x = candidates[jnp.argmax(scores)]
        xs.append(x)
        ys.append(target(x))
    print("compiled", len(TRACES))


if __name__ == "__main__":
    main()
