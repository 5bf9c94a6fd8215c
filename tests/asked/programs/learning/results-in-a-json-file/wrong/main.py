"""Compare learning rates and write the results as lines of JSON."""
import json

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, rate, x, y):
    loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
    return weights - rate * grads, {"loss": loss, "norm": jnp.linalg.norm(grads)}


def train(rate, x, y, steps):
    weights = jnp.zeros(x.shape[1])
    for _ in range(steps):
        weights, metrics = step(weights, rate, x, y)
    return metrics


def line(rate, metrics):
    return json.dumps({"rate": rate, **metrics})  # mistake


def best(lines):
    return min((json.loads(each) for each in lines), key=lambda result: result["loss"])


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (20, 3))
    y = x.sum(axis=1)
    lines = [line(rate, train(rate, x, y, 10)) for rate in (0.001, 0.01, 0.1)]
    print("best rate", best(lines)["rate"])
