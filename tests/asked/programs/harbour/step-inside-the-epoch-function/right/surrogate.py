import jax
import jax.numpy as jnp
from flax import nnx


class PressureSurrogate(nnx.Module):
    def __init__(self, stations: int, width: int, rngs: nnx.Rngs):
        self.embed = nnx.Linear(stations, width, rngs=rngs)
        self.mix = nnx.Linear(width, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.out = nnx.Linear(width, stations, rngs=rngs)

    def __call__(self, pressure):
        h = jax.nn.gelu(self.embed(pressure))
        h = self.norm(h + jax.nn.gelu(self.mix(h)))
        return pressure + self.out(h)


def tendency_error(model, today, tomorrow):
    return jnp.mean((model(today) - tomorrow) ** 2)
