"""Fit a network with a penalty on its weights, as the options say."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from options import parse


class Network(nnx.Module):
    def __init__(self, features, hidden, rngs):
        self.first = nnx.Linear(features, hidden, rngs=rngs)
        self.second = nnx.Linear(hidden, 1, rngs=rngs)

    def __call__(self, x):
        return self.second(nnx.tanh(self.first(x)))[:, 0]


def make_data(key, count=80, features=5):
    k_x, k_w, k_noise = jax.random.split(key, 3)
    x = jax.random.normal(k_x, (count, features))
    weights = jax.random.normal(k_w, (features,))
    return x, jnp.tanh(x @ weights) + 0.1 * jax.random.normal(k_noise, (count,))


def loss_fn(network, x, y, ridge):
    penalty = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(nnx.state(network, nnx.Param)))
    return jnp.mean((network(x) - y) ** 2) + ridge * penalty


@nnx.jit
def train_step(network, optimizer, x, y, ridge):
    value, grads = nnx.value_and_grad(loss_fn)(network, x, y, ridge)
    optimizer.update(network, grads)
    return value


def report(values):
    print("steps", len(values))
    print("fitted", values[-1] < 0.7 * values[0])


def main():
    options = parse([])
    x, y = make_data(jax.random.key(0))
    network = Network(x.shape[1], options.hidden, nnx.Rngs(1))
    optimizer = nnx.Optimizer(network, optax.sgd(options.rate, options.momentum), wrt=nnx.Param)
    values = []
    for _ in range(options.steps):
        value = train_step(network, optimizer, x, y, options.ridge)
        values.append(float(value))
    report(values)


if __name__ == "__main__":
    main()
