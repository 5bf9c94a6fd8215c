"""An autoencoder for small pictures."""

import haiku as hk
import jax.numpy as jnp


def make(config):
    def forward(pictures):
        codes = hk.Sequential(config.encoder())(pictures)
        return hk.Sequential(config.decoder())(codes)

    return hk.without_apply_rng(hk.transform(forward))


def reconstruction_error(network, params, pictures):
    return jnp.mean((network.apply(params, pictures) - pictures) ** 2)
