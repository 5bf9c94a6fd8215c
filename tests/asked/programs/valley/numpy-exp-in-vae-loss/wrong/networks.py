import haiku as hk
import jax
import jax.numpy as jnp


class VAE(hk.Module):
    def __init__(self, latent_dim, hidden, data_dim, name=None):
        super().__init__(name=name)
        self.latent_dim = latent_dim
        self.encoder = hk.nets.MLP([hidden, 2 * latent_dim], name="encoder")
        self.decoder = hk.nets.MLP([hidden, data_dim], name="decoder")

    def __call__(self, x):
        mu, logvar = jnp.split(self.encoder(x), 2, axis=-1)
        eps = jax.random.normal(hk.next_rng_key(), mu.shape)
        z = mu + jnp.exp(0.5 * logvar) * eps
        return self.decoder(z), mu, logvar
