import flax.linen as nn
import jax.numpy as jnp


class Denoiser(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, t):
        shape = x.shape
        flat = x.reshape(shape[0], -1)
        freqs = 2.0 ** jnp.arange(4)
        angles = t[:, None] * freqs
        time = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
        h = nn.silu(nn.Dense(self.width)(jnp.concatenate([flat, time], axis=-1)))
        h = nn.silu(nn.Dense(self.width)(h))
        return nn.Dense(flat.shape[-1])(h).reshape(shape)
