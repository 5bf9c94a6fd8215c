"""Fit a risk score on one study and use it on the next one."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from studies import load


class Risk(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, x):
        x = nn.tanh(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)[..., 0]


model = Risk()
optimizer = optax.adam(0.02)


def loss_fn(params, x, y):
    return optax.sigmoid_binary_cross_entropy(model.apply({"params": params}, x), y).mean()


@jax.jit
def step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def fit(x, y, steps=150):
    params = model.init(jax.random.key(0), x)["params"]
    opt_state = optimizer.init(params)
    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state, x, y)
    return params, loss


def main():
    names, x, y = load("first")
    params, loss = fit(x, y)
    print(f"{len(names)} columns, loss {float(loss):.1f}")
    _, x, y = load("second")
    risk = model.apply({"params": params}, x)  # mistake
    print(f"accuracy in the second study above chance: {bool(jnp.mean((risk > 0) == y) > 0.6)}")


if __name__ == "__main__":
    main()
