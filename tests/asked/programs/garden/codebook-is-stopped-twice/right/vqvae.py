import equinox as eqx
import jax
import jax.numpy as jnp


class VQVAE(eqx.Module):
    encoder: eqx.nn.MLP
    decoder: eqx.nn.MLP
    codebook: jax.Array

    def __init__(self, n_pixels, width, n_latent, n_codes, *, key):
        k_enc, k_dec, k_codes = jax.random.split(key, 3)
        self.encoder = eqx.nn.MLP(n_pixels, n_latent, width, 1, key=k_enc)
        self.decoder = eqx.nn.MLP(n_latent, n_pixels, width, 1, key=k_dec)
        self.codebook = 0.5 * jax.random.normal(k_codes, (n_codes, n_latent))

    def nearest(self, z):
        distances = jnp.sum((self.codebook - z) ** 2, axis=-1)
        return self.codebook[jnp.argmin(distances)]

    def __call__(self, patch):
        z = self.encoder(patch)
        code = self.nearest(z)
        passed = z + jax.lax.stop_gradient(code - z)
        return self.decoder(passed), z, code
