"""Fit a function with a multilayer perceptron."""
from collections.abc import Sequence

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class MLP(nn.Module):
    widths: Sequence[int] = (16, 16)
    outputs: int = 1

    @nn.compact
    def __call__(self, x):
        for width in self.widths:
            x = nn.tanh(nn.Dense(width)(x))
        return nn.Dense(self.outputs)(x)


def train(model, x, y, steps):
    params = model.init(jax.random.key(0), x)["params"]
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    def loss_fn(params):
        return jnp.mean((model.apply({"params": params}, x) - y) ** 2)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    losses = []
    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state)
        losses.append(loss)
    return losses


if __name__ == "__main__":
    x = jnp.linspace(-1.0, 1.0, 32)[:, None]
    losses = train(MLP(), x, jnp.sin(3.0 * x), 20)
    print("better", bool(losses[-1] < losses[0]))
