"""Fit a distribution to observed shares."""
import jax
import jax.numpy as jnp

from distance import bhattacharyya_angle


def loss_fn(logits, shares):
    return bhattacharyya_angle(jax.nn.softmax(logits), shares)


@jax.jit
def step(logits, shares):
    return logits - 0.5 * jax.grad(loss_fn)(logits, shares)


def fit(shares, steps):
    logits = jnp.zeros_like(shares)
    for _ in range(steps):
        logits = step(logits, shares)
    return jax.nn.softmax(logits)


if __name__ == "__main__":
    even = jnp.full(4, 0.25)
    print("even shares", [round(p, 2) for p in fit(even, 5).tolist()])
    uneven = jnp.array([0.4, 0.3, 0.2, 0.1])
    print("finite", bool(jnp.all(jnp.isfinite(fit(uneven, 5)))))
