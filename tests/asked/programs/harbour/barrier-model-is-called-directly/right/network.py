import flax.linen as nn
import jax.numpy as jnp


class BarrierNet(nn.Module):
    hidden: int = 64
    depth: int = 2

    @nn.compact
    def __call__(self, reactant, product):
        difference = product - reactant
        x = jnp.concatenate([reactant, difference], axis=-1)
        for _ in range(self.depth):
            x = nn.silu(nn.Dense(self.hidden)(x))
        return nn.Dense(1)(x).squeeze(-1)
