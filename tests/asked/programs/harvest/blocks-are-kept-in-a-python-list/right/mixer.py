import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, length, width, *, rngs):
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.along = nnx.Linear(length, length, rngs=rngs)
        self.across = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        mixed = self.along(jnp.swapaxes(self.norm(x), -1, -2))
        x = x + jnp.swapaxes(nnx.gelu(mixed), -1, -2)
        return x + nnx.gelu(self.across(x))


class Mixer(nnx.Module):
    def __init__(self, length, width, n_blocks, *, rngs):
        self.blocks = nnx.List([Block(length, width, rngs=rngs) for _ in range(n_blocks)])
        self.head = nnx.Linear(width, 2, rngs=rngs)

    def __call__(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(axis=-2))
