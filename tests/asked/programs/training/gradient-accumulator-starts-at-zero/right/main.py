"""Accumulate gradients over micro-batches."""
import jax
import jax.numpy as jnp
import numpy as np


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": {"w": 0.5 * jax.random.normal(k1, (3, 8)), "b": jnp.zeros(8)},
        "out": {"w": 0.5 * jax.random.normal(k2, (8,))},
    }


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params["hidden"]["w"] + params["hidden"]["b"])
    return jnp.mean((hidden @ params["out"]["w"] - y) ** 2)


grad_fn = jax.jit(jax.grad(loss_fn))


def accumulated(params, batches):
    total = jax.tree.map(jnp.zeros_like, params)
    for x, y in batches:
        total = jax.tree.map(jnp.add, total, grad_fn(params, x, y))
    return jax.tree.map(lambda g: g / len(batches), total)


def main():
    rng = np.random.default_rng(0)
    params = init(jax.random.key(0))
    x = rng.normal(size=(4, 16, 3)).astype(np.float32)
    batches = [(part, part[:, 0]) for part in x]
    for _ in range(5):
        grads = accumulated(params, batches)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    print("finite", all(bool(jnp.all(jnp.isfinite(leaf))) for leaf in jax.tree.leaves(params)))


if __name__ == "__main__":
    main()
