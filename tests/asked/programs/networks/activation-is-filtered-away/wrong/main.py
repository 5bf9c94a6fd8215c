"""A little network with activations as fields, trained by hand."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp


class Layer(eqx.Module):
    weight: jax.Array
    bias: jax.Array
    activation: Callable

    def __init__(self, inputs, outputs, activation, key):
        self.weight = jax.random.normal(key, (outputs, inputs)) / jnp.sqrt(inputs)
        self.bias = jnp.zeros(outputs)
        self.activation = activation

    def __call__(self, x):
        return self.activation(self.weight @ x + self.bias)  # mistake


class Network(eqx.Module):
    layers: list

    def __init__(self, sizes, key):
        keys = jax.random.split(key, len(sizes) - 1)
        last = len(sizes) - 2
        self.layers = [
            Layer(a, b, (lambda x: x) if i == last else jax.nn.relu, k)
            for i, (a, b, k) in enumerate(zip(sizes, sizes[1:], keys))
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[0]


def loss(network, x, y):
    return jnp.mean((jax.vmap(network)(x) - y) ** 2)


def descend(network, grads, rate):
    arrays = eqx.filter(network, eqx.is_array)  # mistake
    return jax.tree.map(lambda p, g: p - rate * g, arrays, grads)  # mistake


def main():
    k_net, k_x = jax.random.split(jax.random.key(11))
    x = jax.random.uniform(k_x, (40, 2), minval=-1.0)
    y = jnp.abs(x[:, 0]) - x[:, 1] ** 2
    network = Network([2, 16, 16, 1], k_net)
    value_and_grad = eqx.filter_jit(eqx.filter_value_and_grad(loss))
    values = []
    for _ in range(40):
        value, grads = value_and_grad(network, x, y)  # mistake
        network = descend(network, grads, 0.1)
        values.append(float(value))
    print("steps", len(values))
    print("learnt", values[-1] < values[0])


if __name__ == "__main__":
    main()
