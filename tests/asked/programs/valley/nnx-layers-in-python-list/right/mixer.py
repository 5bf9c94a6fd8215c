from dataclasses import dataclass

import jax.numpy as jnp
from flax import nnx


@dataclass(frozen=True)
class MixerConfig:
    tokens: int = 6
    width: int = 12
    depth: int = 2
    num_classes: int = 4


class MixerBlock(nnx.Module):
    def __init__(self, cfg: MixerConfig, rngs: nnx.Rngs):
        self.norm = nnx.LayerNorm(cfg.width, rngs=rngs)
        self.token_mix = nnx.Linear(cfg.tokens, cfg.tokens, rngs=rngs)
        self.channel_mix = nnx.Linear(cfg.width, cfg.width, rngs=rngs)

    def __call__(self, x):
        h = jnp.swapaxes(self.norm(x), -1, -2)
        h = jnp.swapaxes(nnx.relu(self.token_mix(h)), -1, -2)
        return x + self.channel_mix(h)


class TokenMixer(nnx.Module):
    def __init__(self, cfg: MixerConfig, rngs: nnx.Rngs):
        self.blocks = nnx.List([MixerBlock(cfg, rngs) for _ in range(cfg.depth)])
        self.head = nnx.Linear(cfg.tokens * cfg.width, cfg.num_classes, rngs=rngs)

    def __call__(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x.reshape(x.shape[0], -1))
