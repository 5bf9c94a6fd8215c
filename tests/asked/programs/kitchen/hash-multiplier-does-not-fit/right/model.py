import jax.numpy as jnp
from flax import nnx

from hashing import HashedColumns


class ClickModel(nnx.Module):
    def __init__(self, hasher: HashedColumns, dim: int, *, rngs: nnx.Rngs):
        self.hasher = hasher
        self.embed = nnx.Embed(hasher.num_buckets, dim, rngs=rngs)
        self.hidden = nnx.Linear(hasher.num_columns * dim, 32, rngs=rngs)
        self.out = nnx.Linear(32, 1, rngs=rngs)

    def __call__(self, codes):
        buckets = self.hasher(codes)
        h = self.embed(buckets).reshape(codes.shape[0], -1)
        return jnp.squeeze(self.out(nnx.relu(self.hidden(h))), axis=-1)
