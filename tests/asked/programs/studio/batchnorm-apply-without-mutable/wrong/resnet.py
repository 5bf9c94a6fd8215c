from functools import partial

import flax.linen as nn


class ResidualBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x, train: bool):
        norm = partial(nn.BatchNorm, use_running_average=not train, momentum=0.8)
        conv = partial(nn.Conv, kernel_size=(3, 3), use_bias=False)
        h = nn.relu(norm()(conv(self.features)(x)))
        h = norm()(conv(self.features)(h))
        return nn.relu(x + h)


class SmallResNet(nn.Module):
    num_classes: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Conv(8, (3, 3), strides=(2, 2))(x)
        x = ResidualBlock(8)(x, train)
        return nn.Dense(self.num_classes)(x.mean(axis=(1, 2)))
