import flax.linen as nn
import jax
import jax.numpy as jnp


class TinyUNet(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        skip = nn.relu(nn.Conv(self.features, (3, 3))(x))
        h = nn.max_pool(skip, (2, 2), strides=(2, 2))
        h = nn.relu(nn.Conv(2 * self.features, (3, 3))(h))
        h = jax.image.resize(h, (*skip.shape[:-1], h.shape[-1]), method="nearest")
        h = nn.relu(nn.Conv(self.features, (3, 3))(jnp.concatenate([h, skip], axis=-1)))
        return nn.Conv(1, (1, 1))(h)
