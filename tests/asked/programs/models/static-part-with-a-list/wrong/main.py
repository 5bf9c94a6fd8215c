"""Train a network that is partitioned into parameters and the rest."""
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Network(eqx.Module):
    layers: list  # mistake

    def __init__(self, sizes, key):
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [  # mistake
            eqx.nn.Linear(*size, key=key) for *size, key in zip(sizes[:-1], sizes[1:], keys)
        ]

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jax.nn.gelu(layer(x))
        return self.layers[-1](x)


@partial(jax.jit, static_argnums=1)
@jax.value_and_grad
def loss_fn(params, static, x, y):
    model = eqx.combine(params, static)
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


def train(model, x, y, steps):
    params, static = eqx.partition(model, eqx.is_array)
    losses = []
    for _ in range(steps):
        loss, grads = loss_fn(params, static, x, y)  # mistake
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        losses.append(loss)
    return eqx.combine(params, static), losses


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (16, 3))
    model, losses = train(Network((3, 8, 1), jax.random.key(1)), x, x[:, :1], 6)
    print("better", bool(losses[-1] < losses[0]))
