import flax.linen as nn
import jax.numpy as jnp


class ConvBlock(nn.Module):
    features: int
    dropout: float = 0.0

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Conv(self.features, (3, 3), use_bias=False)(x)
        x = nn.BatchNorm(momentum=0.9)(x)  # mistake
        x = nn.relu(x)
        return nn.Dropout(self.dropout)(x, deterministic=not train)


class SmallUNet(nn.Module):
    features: int = 4

    @nn.compact
    def __call__(self, x, train: bool):
        skip = ConvBlock(self.features)(x, train)
        down = nn.max_pool(skip, (2, 2), strides=(2, 2))
        down = ConvBlock(2 * self.features, dropout=0.1)(down, train)
        up = jnp.repeat(jnp.repeat(down, 2, axis=1), 2, axis=2)
        return nn.Conv(1, (3, 3))(jnp.concatenate([skip, up], axis=-1))[..., 0]
