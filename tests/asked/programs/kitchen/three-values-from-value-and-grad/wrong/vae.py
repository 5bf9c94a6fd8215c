import jax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, din, hidden, latent, *, rngs: nnx.Rngs):
        self.hidden = nnx.Linear(din, hidden, rngs=rngs)
        self.mean = nnx.Linear(hidden, latent, rngs=rngs)
        self.logvar = nnx.Linear(hidden, latent, rngs=rngs)

    def __call__(self, x):
        h = nnx.gelu(self.hidden(x))
        return self.mean(h), self.logvar(h)


class Decoder(nnx.Module):
    def __init__(self, latent, hidden, dout, *, rngs: nnx.Rngs):
        self.hidden = nnx.Linear(latent, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, dout, rngs=rngs)

    def __call__(self, z):
        return self.out(nnx.gelu(self.hidden(z)))


class VAE(nnx.Module):
    def __init__(self, din, hidden, latent, *, rngs: nnx.Rngs):
        self.encoder = Encoder(din, hidden, latent, rngs=rngs)
        self.decoder = Decoder(latent, hidden, din, rngs=rngs)

    def __call__(self, x, key):
        mean, logvar = self.encoder(x)
        z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)
        return self.decoder(z), mean, logvar
