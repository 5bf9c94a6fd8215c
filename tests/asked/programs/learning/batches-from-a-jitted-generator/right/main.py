"""Fit the slope of a line with stochastic gradient descent."""
import jax
import jax.numpy as jnp

from batches import batches, noisy_line


@jax.jit
def step(slope, x, y):
    return slope - 0.5 * jax.grad(lambda s: jnp.mean((s * x - y) ** 2))(slope)


def main():
    x, y = noisy_line(jax.random.key(0), 32)
    slope = jnp.array(0.0)
    for epoch in range(6):
        for batch in batches(jax.random.key(epoch + 1), x, y):
            slope = step(slope, *batch)
    print("slope", bool(abs(slope - 2.0) < 0.3))


if __name__ == "__main__":
    main()
