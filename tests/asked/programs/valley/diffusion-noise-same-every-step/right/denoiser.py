import flax.linen as nn
import jax.numpy as jnp


class Denoiser(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, t):
        freqs = jnp.pi * 2.0 ** jnp.arange(4)
        emb = t[:, None] * freqs
        h = jnp.concatenate([x, jnp.sin(emb), jnp.cos(emb)], axis=-1)
        for _ in range(2):
            h = nn.swish(nn.Dense(self.width)(h))
        return nn.Dense(x.shape[-1])(h)
