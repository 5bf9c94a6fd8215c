"""The spread of an ensemble far from the data."""
import jax.numpy as jnp
from flax import nnx

from ensemble import create


@nnx.vmap(in_axes=(0, None))
def predict(regressor, x):
    return regressor(x)


def main():
    regressors = create(nnx.Rngs(0), 5)
    x = jnp.linspace(-3.0, 3.0, 9)[:, None]
    predictions = predict(regressors, x)
    spread = predictions.std(axis=0)
    print("predictions", predictions.shape)
    print("spread", bool(spread.max() > 1e-3))


if __name__ == "__main__":
    main()
