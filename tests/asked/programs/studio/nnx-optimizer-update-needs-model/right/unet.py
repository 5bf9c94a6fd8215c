import jax
import jax.numpy as jnp
from flax import nnx


class Denoiser(nnx.Module):
    def __init__(self, dim: int, width: int, *, rngs: nnx.Rngs):
        self.time = nnx.Linear(16, width, rngs=rngs)
        self.inp = nnx.Linear(dim, width, rngs=rngs)
        self.mid = nnx.Linear(width, width, rngs=rngs)
        self.out = nnx.Linear(width, dim, rngs=rngs)

    def __call__(self, x: jax.Array, t: jax.Array) -> jax.Array:
        freqs = 2.0 ** jnp.arange(8)
        angles = t[:, None] * freqs
        emb = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)
        h = nnx.silu(self.inp(x) + self.time(emb))
        h = h + nnx.silu(self.mid(h))
        return self.out(h)
