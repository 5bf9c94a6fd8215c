from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp


class VAEOutput(NamedTuple):
    mean: jax.Array
    log_var: jax.Array
    reconstruction: jax.Array


class VAE(hk.Module):
    def __init__(self, latent, hidden, name=None):
        super().__init__(name=name)
        self.latent = latent
        self.hidden = hidden

    def __call__(self, x):
        h = jax.nn.relu(hk.Linear(self.hidden, name="enc")(x))
        mean = hk.Linear(self.latent, name="mean")(h)
        log_var = hk.Linear(self.latent, name="log_var")(h)
        eps = jax.random.normal(hk.next_rng_key(), mean.shape)
        z = mean + jnp.exp(0.5 * log_var) * eps
        h = jax.nn.relu(hk.Linear(self.hidden, name="dec")(z))
        return VAEOutput(mean, log_var, hk.Linear(x.shape[-1], name="out")(h))


def negative_elbo(out: VAEOutput, x):
    recon = 0.5 * jnp.sum((out.reconstruction - x) ** 2, axis=-1)
    kl = 0.5 * jnp.sum(jnp.exp(out.log_var) + out.mean**2 - 1.0 - out.log_var, axis=-1)
    return jnp.mean(recon + kl)
