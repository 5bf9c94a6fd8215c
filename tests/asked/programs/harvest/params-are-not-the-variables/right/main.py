import jax
import jax.numpy as jnp

from network import Forecaster, init_forecaster
from training import train


def windows(series, width):
    index = jnp.arange(series.shape[0] - width)[:, None] + jnp.arange(width)
    return series[index], series[width:]


def main():
    hours = jnp.arange(400.0)
    series = jnp.sin(2.0 * jnp.pi * hours / 24.0) + 0.3 * jnp.sin(2.0 * jnp.pi * hours / 7.0)
    x, y = windows(series, 24)
    model = Forecaster(hidden=32)
    params = init_forecaster(model, jax.random.key(0), 24)
    params, losses = train(model, params, x, y, n_steps=100)
    print("loss", round(losses[0], 4), "->", round(losses[-1], 4))
    print("layers", sorted(params))


if __name__ == "__main__":
    main()
