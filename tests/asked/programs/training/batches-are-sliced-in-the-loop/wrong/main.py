"""Train a logistic regression for one epoch in a compiled loop."""

from functools import partial

import jax
import jax.numpy as jnp

FEATURES = 6


def make_data(key, count=256):
    k_x, k_w, k_y = jax.random.split(key, 3)
    x = jax.random.normal(k_x, (count, FEATURES))
    weights = jax.random.normal(k_w, (FEATURES,))
    y = jax.random.bernoulli(k_y, jax.nn.sigmoid(2 * x @ weights)).astype(jnp.float32)
    return x, y


def loss(params, x, y):
    logits = x @ params["w"] + params["b"]
    return jnp.mean(jnp.logaddexp(0.0, logits) - y * logits)


@partial(jax.jit, static_argnames="batch")
def epoch(params, x, y, batch, rate):
    steps = x.shape[0] // batch

    def body(i, carry):
        params, total = carry
        inputs = x[i * batch : (i + 1) * batch]  # mistake
        labels = y[i * batch : (i + 1) * batch]  # mistake
        value, slope = jax.value_and_grad(loss)(params, inputs, labels)
        params = jax.tree.map(lambda p, g: p - rate * g, params, slope)
        return params, total + value

    params, total = jax.lax.fori_loop(0, steps, body, (params, jnp.array(0.0)))
    return params, total / steps


def accuracy(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] > 0) == (y > 0.5))


def main():
    x, y = make_data(jax.random.key(0))
    params = {"w": jnp.zeros(FEATURES), "b": jnp.array(0.0)}
    losses = []
    for _ in range(5):
        params, value = epoch(params, x, y, batch=32, rate=0.5)
        losses.append(float(value))
    print("epochs", len(losses))
    print("losses fall", losses[-1] < losses[0])
    print("accurate", bool(accuracy(params, x, y) > 0.7))


if __name__ == "__main__":
    main()
