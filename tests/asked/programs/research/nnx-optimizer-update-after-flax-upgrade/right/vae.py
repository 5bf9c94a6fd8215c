import jax
import jax.numpy as jnp
from flax import nnx


class VAE(nnx.Module):
    def __init__(self, data_dim: int, latent_dim: int, hidden: int, rngs: nnx.Rngs):
        self.enc = nnx.Linear(data_dim, hidden, rngs=rngs)
        self.stats = nnx.Linear(hidden, 2 * latent_dim, rngs=rngs)
        self.dec = nnx.Linear(latent_dim, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, data_dim, rngs=rngs)

    def __call__(self, x, noise_key):
        mean, log_std = jnp.split(self.stats(nnx.gelu(self.enc(x))), 2, axis=-1)
        log_std = jnp.clip(log_std, -6.0, 3.0)
        z = mean + jnp.exp(log_std) * jax.random.normal(noise_key, mean.shape)
        return self.out(nnx.gelu(self.dec(z))), mean, log_std


def negative_elbo(model: VAE, x, noise_key, beta: float = 0.5):
    recon, mean, log_std = model(x, noise_key)
    nll = 0.5 * jnp.sum((recon - x) ** 2, axis=-1)
    kl = 0.5 * jnp.sum(mean**2 + jnp.exp(2 * log_std) - 2 * log_std - 1.0, axis=-1)
    return jnp.mean(nll + beta * kl), {"nll": nll.mean(), "kl": kl.mean()}
