"""Average the response of a sensor to repeated pulses."""
import jax
import jax.numpy as jnp

from windows import average_window


def record(key, size, events):
    time = jnp.arange(size)
    pulses = jnp.exp(-0.5 * ((time - events[:, None]) / 2.0) ** 2).sum(axis=0)
    return pulses + 0.1 * jax.random.normal(key, (size,))


def main():
    events = jnp.array([20, 45, 70])
    signal = record(jax.random.key(0), 90, events)
    for width in (8, 12):
        average = average_window(signal, events, width)
        print(width, average.shape, "peak", bool(average[width // 2] > 0.7))


if __name__ == "__main__":
    main()
