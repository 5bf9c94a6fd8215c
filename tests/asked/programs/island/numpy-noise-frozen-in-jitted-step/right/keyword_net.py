import jax
from flax import nnx


class KeywordNet(nnx.Module):
    def __init__(self, num_classes: int, width: int = 16, *, rngs: nnx.Rngs):
        self.conv1 = nnx.Conv(1, width, (9,), strides=(4,), rngs=rngs)
        self.conv2 = nnx.Conv(width, width, (5,), strides=(2,), rngs=rngs)
        self.head = nnx.Linear(width * 4, num_classes, rngs=rngs)

    def __call__(self, waves):
        x = jax.nn.relu(self.conv1(waves[..., None]))
        x = jax.nn.relu(self.conv2(x))
        x = x.reshape(x.shape[0], 4, -1, x.shape[-1]).max(axis=2)
        return self.head(x.reshape(x.shape[0], -1))
