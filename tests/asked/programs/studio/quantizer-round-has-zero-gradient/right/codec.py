import flax.linen as nn
import jax
import jax.numpy as jnp


def quantize(z, levels):
    half = (levels - 1) / 2
    bounded = jnp.tanh(z) * half
    rounded = bounded + jax.lax.stop_gradient(jnp.round(bounded) - bounded)
    return rounded / half


class SignalCodec(nn.Module):
    latent: int = 4
    levels: int = 9
    hidden: int = 32

    def setup(self):
        self.encoder = nn.Sequential([nn.Dense(self.hidden), nn.gelu, nn.Dense(self.latent)])
        self.decoder = [nn.Dense(self.hidden), nn.Dense(self.hidden)]
        self.readout = nn.Dense(24)

    def __call__(self, x):
        h = quantize(self.encoder(x), self.levels)
        for layer in self.decoder:
            h = jax.nn.gelu(layer(h))
        return self.readout(h)
