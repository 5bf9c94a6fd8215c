"""Short-time Fourier analysis of a chirp."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

SAMPLE_RATE = 1000


def chirp(duration, f0, f1):
    t = jnp.arange(int(duration * SAMPLE_RATE)) / SAMPLE_RATE
    phase = 2 * jnp.pi * (f0 * t + 0.5 * (f1 - f0) / duration * t**2)
    return jnp.sin(phase)


def frame_signal(signal, window, hop):
    """Cut the signal into overlapping frames of the given length, one every hop samples."""
    starts = jnp.arange(0, signal.shape[0], hop)
    padded = jnp.pad(signal, (0, window))
    return jax.vmap(lambda s: lax.dynamic_slice(padded, (s,), (window,)))(starts)


@partial(jax.jit, static_argnames=("window", "hop"))
def spectrogram(signal, window=256, hop=64):
    frames = frame_signal(signal, window, hop)
    taper = 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(window) / window)
    spectrum = jnp.fft.rfft(frames * taper, axis=-1)
    return jnp.abs(spectrum) ** 2


def dominant_frequency(power, window):
    frequencies = jnp.fft.rfftfreq(window, 1.0 / SAMPLE_RATE)
    return frequencies[jnp.argmax(power, axis=-1)]


def frame_energy(power):
    return jnp.sum(power, axis=-1) / power.shape[-1]


def main():
    signal = chirp(1.0, 20.0, 200.0)
    power = spectrogram(signal, window=256, hop=64)
    print("frames:", power.shape)
    print("first frames:", dominant_frequency(power, 256)[:3])
    print("energy of the last frames:")
    for index, energy in enumerate(frame_energy(power)[-5:]):
        print(f"  {index - 5}: {float(energy):.2f}")


if __name__ == "__main__":
    main()
