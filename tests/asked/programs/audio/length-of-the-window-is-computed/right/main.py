"""Loudness of a recording, in windows of a number of milliseconds."""

from functools import partial

import jax
import jax.numpy as jnp

RATE = 8000


def samples_in(milliseconds):
    return round(RATE * milliseconds / 1000)


@partial(jax.jit, static_argnums=(1,))
def frames(signal, length):
    count = signal.shape[0] // length
    return signal[: count * length].reshape(count, length)


@jax.jit
def loudness(windows):
    taper = jnp.hanning(windows.shape[1])
    power = jnp.mean((windows * taper) ** 2, axis=1)
    return 10.0 * jnp.log10(power + 1e-12)


def recording(key, seconds=1.0):
    t = jnp.arange(int(RATE * seconds)) / RATE
    tone = jnp.sin(2 * jnp.pi * 440 * t)
    loud = jnp.where(t > 0.5 * seconds, 1.0, 0.05)
    return loud * tone + 1e-3 * jax.random.normal(key, t.shape)


def speech_begins(levels, milliseconds):
    above = levels > levels.mean()
    return int(jnp.argmax(above)) * milliseconds


def main():
    signal = recording(jax.random.key(4))
    for milliseconds in (20, 50):
        length = samples_in(milliseconds)
        windows = frames(signal, length)
        levels = loudness(windows)
        print(milliseconds, "ms:", levels.shape[0], "windows, loud from", speech_begins(levels, milliseconds))


if __name__ == "__main__":
    main()
