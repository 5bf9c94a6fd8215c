import jax
import jax.numpy as jnp
from flax import nnx


class MixerBlock(nnx.Module):
    def __init__(self, tokens: int, width: int, *, rngs: nnx.Rngs):
        self.norm1 = nnx.LayerNorm(width, rngs=rngs)
        self.norm2 = nnx.LayerNorm(width, rngs=rngs)
        self.token_mix = nnx.Linear(tokens, tokens, rngs=rngs)
        self.channel_mix = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        h = jnp.swapaxes(self.norm1(x), 1, 2)
        x = x + jnp.swapaxes(jax.nn.gelu(self.token_mix(h)), 1, 2)
        return x + jax.nn.gelu(self.channel_mix(self.norm2(x)))


class MixerClassifier(nnx.Module):
    def __init__(self, image_size, patch, width, depth, num_classes, *, rngs: nnx.Rngs):
        tokens = (image_size // patch) ** 2
        self.embed = nnx.Conv(1, width, (patch, patch), strides=(patch, patch), rngs=rngs)
        self.blocks = nnx.List([MixerBlock(tokens, width, rngs=rngs) for _ in range(depth)])
        self.head = nnx.Linear(width, num_classes, rngs=rngs)

    def __call__(self, images):
        x = self.embed(images)
        x = x.reshape(x.shape[0], -1, x.shape[-1])
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(axis=1))
