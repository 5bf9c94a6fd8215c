import jax
from flax import nnx


class Forecaster(nnx.Module):
    def __init__(self, context: int, horizon: int, width: int, *, rngs: nnx.Rngs):
        self.inp = nnx.Linear(context, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.out = nnx.Linear(width, horizon, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        h = nnx.gelu(self.norm(self.inp(x)))
        return self.out(h)
