import jax
import jax.numpy as jnp
from flax import nnx


class DemandNet(nnx.Module):
    def __init__(self, n_stores: int, n_features: int, width: int, *, rngs: nnx.Rngs):
        self.store = nnx.Embed(n_stores, 8, rngs=rngs)
        self.hidden = nnx.Linear(n_features + 8, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.out = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, store_ids, features):
        x = jnp.concatenate([self.store(store_ids), features], axis=-1)
        x = self.norm(jax.nn.swish(self.hidden(x)))
        return self.out(x)[:, 0]


def poisson_loss(model: DemandNet, batch):
    log_rate = model(batch["store"], batch["features"])
    return jnp.mean(jnp.exp(log_rate) - batch["units"] * log_rate)
