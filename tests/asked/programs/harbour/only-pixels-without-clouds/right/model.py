import jax
import jax.numpy as jnp
from flax import nnx


class SeaSurfaceNet(nnx.Module):
    def __init__(self, width, rngs):
        self.encode = nnx.Conv(2, width, (3, 3), rngs=rngs)
        self.mix = nnx.Conv(width, width, (3, 3), rngs=rngs)
        self.decode = nnx.Conv(width, 1, (1, 1), rngs=rngs)

    def __call__(self, microwave, wind):
        x = jnp.stack([microwave, wind], axis=-1)
        x = jax.nn.relu(self.encode(x))
        x = x + jax.nn.relu(self.mix(x))
        return self.decode(x)[..., 0]
