import jax.numpy as jnp
from flax import nnx


class MixerBlock(nnx.Module):
    def __init__(self, patches: int, dim: int, *, rngs: nnx.Rngs):
        self.norm1 = nnx.LayerNorm(dim, rngs=rngs)
        self.token_mix = nnx.Linear(patches, patches, rngs=rngs)
        self.norm2 = nnx.LayerNorm(dim, rngs=rngs)
        self.channel_mix = nnx.Linear(dim, dim, rngs=rngs)

    def __call__(self, x):
        h = jnp.swapaxes(self.norm1(x), 1, 2)
        x = x + jnp.swapaxes(nnx.gelu(self.token_mix(h)), 1, 2)
        return x + nnx.gelu(self.channel_mix(self.norm2(x)))


class Mixer(nnx.Module):
    def __init__(self, patch: int, size: int, dim: int, depth: int, classes: int, *, rngs: nnx.Rngs):
        self.patch = patch
        patches = (size // patch) ** 2
        self.embed = nnx.Linear(patch * patch, dim, rngs=rngs)
        self.blocks = [MixerBlock(patches, dim, rngs=rngs) for _ in range(depth)]  # mistake
        self.head = nnx.Linear(dim, classes, rngs=rngs)

    def patchify(self, images):
        n, size, _ = images.shape
        k, p = size // self.patch, self.patch
        x = images.reshape(n, k, p, k, p).transpose(0, 1, 3, 2, 4)
        return x.reshape(n, k * k, p * p)

    def __call__(self, images):
        x = self.embed(self.patchify(images))
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(axis=1))
