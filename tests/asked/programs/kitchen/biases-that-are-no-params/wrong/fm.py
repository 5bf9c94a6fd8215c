import jax.numpy as jnp
from flax import nnx


class FactorizationMachine(nnx.Module):
    def __init__(self, num_users, num_items, dim, *, rngs: nnx.Rngs):
        self.user_factors = nnx.Embed(num_users, dim, rngs=rngs)
        self.item_factors = nnx.Embed(num_items, dim, rngs=rngs)
        self.mean = nnx.Param(jnp.zeros(()))
        self.item_bias = jnp.zeros(num_items)  # mistake

    def __call__(self, users, items):
        dot = jnp.sum(self.user_factors(users) * self.item_factors(items), axis=-1)
        return self.mean[...] + self.item_bias[items] + dot
