import jax
from flax import nnx


class MachineSoundNet(nnx.Module):
    def __init__(self, bands: int, hidden: int, classes: int, rngs: nnx.Rngs):
        self.inner = nnx.Linear(bands, hidden, rngs=rngs)
        self.norm = nnx.BatchNorm(hidden, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.outer = nnx.Linear(hidden, classes, rngs=rngs)

    def __call__(self, spectrum):
        h = jax.nn.gelu(self.norm(self.inner(spectrum)))
        return self.outer(self.dropout(h))
