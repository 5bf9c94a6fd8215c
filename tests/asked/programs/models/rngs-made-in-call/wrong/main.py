"""Estimate the uncertainty of a prediction from many forward passes."""
import jax.numpy as jnp
from flax import nnx

from regressor import Regressor


@nnx.jit
def predict(model, x):
    return model(x)


def uncertainty(model, x, passes):
    predictions = jnp.stack([predict(model, x) for _ in range(passes)])
    return predictions.mean(axis=0), predictions.std(axis=0)


if __name__ == "__main__":
    model = Regressor(3, 16, nnx.Rngs(0))
    x = jnp.linspace(0.1, 1.0, 12).reshape(4, 3)
    mean, deviation = uncertainty(model, x, 6)
    print("predictions", mean.shape)
    print("uncertain", bool(deviation.max() > 1e-4))
