"""Mixed-precision GRU for sensor fault detection."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax


class Policy(NamedTuple):
    param_dtype: jnp.dtype
    compute_dtype: jnp.dtype

    def to_compute(self, tree):
        return jax.tree.map(lambda a: a.astype(self.compute_dtype), tree)


FULL = Policy(jnp.float32, jnp.float32)
MIXED = Policy(jnp.float32, jnp.bfloat16)


def init(key, features, hidden, policy):
    shapes = {"wx": (features, 3 * hidden), "wh": (hidden, 3 * hidden), "out": (hidden, 1)}
    keys = jax.random.split(key, len(shapes))
    params = {
        name: jax.random.normal(k, shape, policy.param_dtype) / shape[0] ** 0.5
        for k, (name, shape) in zip(keys, shapes.items())
    }
    params["b"] = jnp.zeros(3 * hidden, policy.param_dtype)
    return params


def gru(params, xs):
    """xs: (batch, time, features) -> last hidden state."""
    hidden = params["wh"].shape[0]

    def cell(h, x):
        zx, rx, nx = jnp.split(x @ params["wx"] + params["b"], 3, axis=-1)
        zh, rh, nh = jnp.split(h.astype(x.dtype) @ params["wh"], 3, axis=-1)
        z = jax.nn.sigmoid(zx + zh)
        n = jnp.tanh(nx + jax.nn.sigmoid(rx + rh) * nh)
        new_h = (1 - z) * n + z * h.astype(x.dtype)
        return new_h, None

    h0 = jnp.zeros((xs.shape[0], hidden))  # mistake
    last, _ = jax.lax.scan(cell, h0, jnp.swapaxes(xs, 0, 1))  # mistake
    return last


def loss_fn(params, xs, labels, policy):
    half = policy.to_compute(params)
    last = gru(half, xs.astype(policy.compute_dtype))
    logits = (last @ half["out"])[:, 0].astype(jnp.float32)
    return optax.sigmoid_binary_cross_entropy(logits, labels).mean()


def fit(policy, xs, labels, steps=25):
    params = init(jax.random.PRNGKey(0), xs.shape[-1], 8, policy)
    tx = optax.adam(2e-2)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params, xs, labels, policy)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state)
    return float(loss)


def main():
    rng = np.random.default_rng(0)
    xs = rng.normal(size=(48, 10, 3)).astype(np.float32)
    labels = (xs[:, -3:, 0].sum(axis=1) > 0).astype(np.float32)
    print(f"float32  loss {fit(FULL, xs, labels):.2f}")
    print(f"bfloat16 loss {fit(MIXED, xs, labels):.2f}")


if __name__ == "__main__":
    main()
