"""Serve forecasts of a fitted model."""
import jax
import jax.numpy as jnp

from forecaster import Forecaster, TRACES


def main():
    model = Forecaster(jax.random.key(0), lags=6)
    series = jnp.sin(jnp.arange(60) / 5.0)
    forecasts = []
    for start in range(0, 50, 5):
        window = series[start : start + 6]
        forecasts.append(model.predict(window))
    print("compiled", len(TRACES), jnp.stack(forecasts).shape)


if __name__ == "__main__":
    main()
