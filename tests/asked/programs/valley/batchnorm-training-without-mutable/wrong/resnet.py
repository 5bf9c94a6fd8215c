import functools

import flax.linen as nn
import jax.numpy as jnp


class Block(nn.Module):
    filters: int

    @nn.compact
    def __call__(self, x, train: bool):
        norm = functools.partial(
            nn.BatchNorm, use_running_average=not train, momentum=0.9
        )
        y = nn.Conv(self.filters, (3, 3), use_bias=False)(x)
        y = nn.relu(norm()(y))
        y = nn.Conv(self.filters, (3, 3), use_bias=False)(y)
        y = norm()(y)
        return nn.relu(x + y)


class SmallResNet(nn.Module):
    num_classes: int
    filters: int = 8

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Conv(self.filters, (3, 3))(x)
        x = Block(self.filters)(x, train)
        x = jnp.mean(x, axis=2).reshape(x.shape[0], -1)
        return nn.Dense(self.num_classes)(x)
