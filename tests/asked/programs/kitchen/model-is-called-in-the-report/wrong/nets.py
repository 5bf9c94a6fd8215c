import flax.linen as nn
import jax.numpy as jnp


class TwoTower(nn.Module):
    num_users: int
    num_items: int
    dim: int = 16

    @nn.compact
    def __call__(self, users, items):
        u = nn.Dense(self.dim)(nn.Embed(self.num_users, self.dim)(users))
        v = nn.Dense(self.dim)(nn.Embed(self.num_items, self.dim)(items))
        bias = self.param("bias", nn.initializers.zeros, ())
        return jnp.sum(u * v, axis=-1) + bias
