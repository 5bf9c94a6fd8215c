from typing import Callable

import equinox as eqx
import jax


class ConvEncoder(eqx.Module):
    convs: list
    head: eqx.nn.Linear
    activation: Callable

    def __init__(self, channels, latent_dim, key, activation=jax.nn.silu):
        *conv_keys, head_key = jax.random.split(key, len(channels))
        self.convs = [
            eqx.nn.Conv2d(a, b, kernel_size=3, stride=2, padding=1, key=k)
            for a, b, k in zip(channels[:-1], channels[1:], conv_keys)
        ]
        self.head = eqx.nn.Linear(channels[-1] * 4, latent_dim, key=head_key)
        self.activation = activation

    def __call__(self, image):
        x = image
        for conv in self.convs:
            x = self.activation(conv(x))
        return self.head(x.reshape(-1))
