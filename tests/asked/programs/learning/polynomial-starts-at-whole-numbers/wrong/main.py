"""Calibrate a thermometer."""

import jax
import jax.numpy as jnp
from curve import evaluate, initial, penalty


def measurements(key, count=50):
    true = jnp.linspace(-1.0, 1.0, count)
    shown = 0.1 + 0.9 * true + 0.15 * true**2
    return shown + 0.01 * jax.random.normal(key, (count,)), true


def loss(coefficients, shown, true):
    return jnp.mean((evaluate(coefficients, shown) - true) ** 2) + penalty(coefficients)


@jax.jit
def step(coefficients, shown, true):
    value, slope = jax.value_and_grad(loss)(coefficients, shown, true)  # mistake
    return coefficients - 0.3 * slope, value


def main():
    shown, true = measurements(jax.random.key(6))
    coefficients = initial(degree=3)
    values = []
    for _ in range(60):
        coefficients, value = step(coefficients, shown, true)  # mistake
        values.append(float(value))
    print("coefficients", coefficients.shape)
    print("calibrated", values[-1] < 0.05 * values[0])


if __name__ == "__main__":
    main()
