import jax
import jax.numpy as jnp
from flax import nnx


class DriftNet(nnx.Module):
    def __init__(self, num_inputs: int, hidden: int, rate: float, *, rngs: nnx.Rngs):
        self.encoder = nnx.Linear(num_inputs, hidden, rngs=rngs)
        self.norm = nnx.LayerNorm(hidden, rngs=rngs)
        self.dropout = nnx.Dropout(rate)  # mistake
        self.head = nnx.Linear(hidden, 2, rngs=rngs)

    def __call__(self, forcing: jax.Array) -> jax.Array:
        h = jax.nn.gelu(self.norm(self.encoder(forcing)))
        h = self.dropout(h)  # mistake
        return self.head(h)


def speed(drift):
    return jnp.sqrt(jnp.sum(drift**2, axis=-1) + 1e-8)
