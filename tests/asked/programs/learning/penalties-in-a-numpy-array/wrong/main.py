"""Regularise each layer of a network with a strength of its own."""
import jax
import jax.numpy as jnp
import numpy as np

STRENGTHS = np.array([1e-3, 1e-2, 1e-1])


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    pairs = zip(keys, sizes[:-1], sizes[1:])
    return [jax.random.normal(key, (n, m)) / n**0.5 for key, n, m in pairs]


def forward(layers, x):
    for weights in layers[:-1]:
        x = jax.nn.softplus(x @ weights)
    return (x @ layers[-1])[:, 0]


def penalty(layers):
    sizes = np.array([jnp.sum(weights**2) for weights in layers])  # mistake
    return sizes @ STRENGTHS


def loss_fn(layers, x, y):
    return jnp.mean((forward(layers, x) - y) ** 2) + penalty(layers)


@jax.jit
def step(layers, x, y):
    return jax.tree.map(lambda w, g: w - 0.1 * g, layers, jax.grad(loss_fn)(layers, x, y))


if __name__ == "__main__":
    layers = init(jax.random.key(0), (3, 8, 8, 1))
    x = jax.random.normal(jax.random.key(1), (20, 3))
    before = float(penalty(layers))
    for _ in range(4):
        layers = step(layers, x, x[:, 0])
    print("smaller", bool(penalty(layers) < before))
