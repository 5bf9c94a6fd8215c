"""Fit a plane."""
import jax
import jax.numpy as jnp

from training import step


def train(params, x, y, steps):
    losses = []
    for _ in range(steps):
        params, loss = step(params, x, y)
        losses.append(float(loss))
    return params, losses


def main():
    x = jax.random.normal(jax.random.key(0), (20, 2))
    y = x @ jnp.array([1.0, -1.0]) + 0.5
    params, losses = train({"w": jnp.zeros(2), "b": jnp.zeros(())}, x, y, 10)
    print("steps", len(losses))
    print("learned", losses[-1] < losses[0], bool(params["b"] != 0.0))


if __name__ == "__main__":
    main()
