import flax.linen as nn
import jax.numpy as jnp


class TabularNet(nn.Module):
    width: int = 48
    rate: float = 0.3

    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.relu(nn.Dense(self.width, name="inp")(x))
        mask = nn.Dropout(self.rate, deterministic=not train)(jnp.ones_like(x))
        self.sow("intermediates", "mask", mask)
        x = nn.relu(nn.Dense(self.width, name="mid")(x * mask))
        return nn.Dense(1, name="head")(x)[:, 0]
