"""Ridge regression with early stopping."""
from functools import partial

import jax
import jax.numpy as jnp


def mse(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@partial(jax.jit, donate_argnums=0)
def train_step(params, x, y):
    grads = jax.grad(mse)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)


def fit(x, y, x_val, y_val, steps=60):
    params = {"w": jnp.zeros(x.shape[1]), "b": jnp.zeros(())}
    best, best_loss = None, float("inf")
    for _ in range(steps):
        val_loss = float(mse(params, x_val, y_val))
        if val_loss < best_loss:
            best, best_loss = params, val_loss  # mistake
        params = train_step(params, x, y)  # mistake
    return mse(best, x_val, y_val)  # mistake


if __name__ == "__main__":
    key_x, key_w = jax.random.split(jax.random.key(0))
    x = jax.random.normal(key_x, (120, 6))
    y = x @ jax.random.normal(key_w, (6,)) + 1.0
    print(float(fit(x[:80], y[:80], x[80:], y[80:])) < 1.0)
