import jax
from flax import nnx


@jax.jit
def blend(old, new, decay):
    return jax.tree.map(lambda a, b: decay * a + (1 - decay) * b, old, new)


class WeightAverage:
    """Exponential moving average of the parameters of an nnx model."""

    def __init__(self, model: nnx.Module, decay: float = 0.99):
        _, params, _ = nnx.split(model, nnx.Param, ...)
        self.params = jax.tree.map(lambda p: p, params)
        self.decay = decay

    def update(self, model: nnx.Module) -> None:
        _, params, _ = nnx.split(model, nnx.Param, ...)
        self.params = blend(self.params, params, self.decay)

    def build(self, model: nnx.Module) -> nnx.Module:
        graphdef, _, rest = nnx.split(model, nnx.Param, ...)
        return nnx.merge(graphdef, self.params)  # mistake
