import jax
from flax import nnx


class ResBlock(nnx.Module):
    def __init__(self, width: int, expansion: int = 2, *, rngs: nnx.Rngs):
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, expansion * width, rngs=rngs)
        self.down = nnx.Linear(expansion * width, width)  # mistake

    def __call__(self, x: jax.Array) -> jax.Array:
        return x + self.down(nnx.gelu(self.up(self.norm(x))))


class ResMLP(nnx.Module):
    def __init__(self, n_features: int, width: int, depth: int, *, rngs: nnx.Rngs):
        self.stem = nnx.Linear(n_features, width, rngs=rngs)
        self.blocks = nnx.List([ResBlock(width, rngs=rngs) for _ in range(depth)])
        self.head = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)[:, 0]
