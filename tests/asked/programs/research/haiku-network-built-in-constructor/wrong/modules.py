import haiku as hk
import jax
import jax.numpy as jnp


class TabularNet(hk.Module):
    def __init__(self, cardinalities, hidden, name=None):
        super().__init__(name=name)
        self.embeddings = [hk.Embed(c, 4, name=f"embed_{i}") for i, c in enumerate(cardinalities)]
        self.mlp = hk.nets.MLP([*hidden, 1], activation=jax.nn.silu)

    def __call__(self, categorical, numeric):
        parts = [embed(categorical[:, i]) for i, embed in enumerate(self.embeddings)]
        x = jnp.concatenate([*parts, numeric], axis=-1)
        return self.mlp(x)[:, 0]
