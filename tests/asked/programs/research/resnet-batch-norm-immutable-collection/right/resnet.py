from functools import partial
from typing import Any, Sequence

import flax.linen as nn


class ResidualBlock(nn.Module):
    features: int
    norm: Any
    strides: int = 1

    @nn.compact
    def __call__(self, x):
        y = nn.Conv(self.features, (3, 3), self.strides, use_bias=False)(x)
        y = nn.relu(self.norm()(y))
        y = nn.Conv(self.features, (3, 3), use_bias=False)(y)
        y = self.norm(scale_init=nn.initializers.zeros_init())(y)
        if y.shape != x.shape:
            x = nn.Conv(self.features, (1, 1), self.strides, use_bias=False)(x)
        return nn.relu(x + y)


class TinyResNet(nn.Module):
    widths: Sequence[int]
    num_classes: int

    @nn.compact
    def __call__(self, images, train: bool = True):
        norm = partial(nn.BatchNorm, use_running_average=not train, momentum=0.9)
        x = nn.Conv(self.widths[0], (3, 3), use_bias=False)(images)
        x = nn.relu(norm()(x))
        for i, width in enumerate(self.widths):
            x = ResidualBlock(width, norm, strides=1 if i == 0 else 2)(x)
        return nn.Dense(self.num_classes)(x.mean(axis=(1, 2)))
