import jax.numpy as jnp
from flax import nnx


class BoneAgeNet(nnx.Module):
    def __init__(self, width: int, *, rngs: nnx.Rngs):
        self.conv = nnx.Conv(1, width, (3, 3), strides=(2, 2), rngs=rngs)
        self.dense = nnx.Linear(width * 36, 32, rngs=rngs)
        self.out = nnx.Linear(32, 1, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.conv(x))
        x = nnx.relu(self.dense(x.reshape(x.shape[0], -1)))
        return self.out(x)[:, 0]


def squared_error(model, images, ages):
    return jnp.mean((model(images) - ages) ** 2)
