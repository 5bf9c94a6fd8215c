from typing import Callable

import equinox as eqx
import jax
import jax.numpy as jnp


class DigitCNN(eqx.Module):
    conv1: eqx.nn.Conv2d
    conv2: eqx.nn.Conv2d
    head: eqx.nn.Linear
    activation: Callable

    def __init__(self, num_classes: int, *, key, activation=jax.nn.relu):
        k1, k2, k3 = jax.random.split(key, 3)
        self.conv1 = eqx.nn.Conv2d(1, 8, 3, padding=1, key=k1)
        self.conv2 = eqx.nn.Conv2d(8, 16, 3, stride=2, key=k2)
        self.head = eqx.nn.Linear(16, num_classes, key=k3)
        self.activation = activation

    def __call__(self, image):
        h = self.activation(self.conv1(image))
        h = self.activation(self.conv2(h))
        return self.head(jnp.max(h, axis=(1, 2)))
