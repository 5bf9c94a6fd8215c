from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from detect import extract_event


def chirp(n):
    t = np.linspace(0.0, 1.0, n)
    return np.sin(2 * np.pi * (4 * t + 10 * t**2)) * np.hanning(n)


def simulate(n_signals, length, template, seed=0):
    rng = np.random.default_rng(seed)
    strain = 0.4 * rng.normal(size=(n_signals, length))
    starts = rng.integers(0, length - len(template), n_signals)
    for row, s in enumerate(starts):
        strain[row, s:s + len(template)] += template
    return strain.astype(np.float32), starts + len(template) // 2


def main():
    template = chirp(64).astype(np.float32)
    strain, truth = simulate(8, 512, template)
    pipeline = jax.jit(jax.vmap(partial(extract_event, template=template, half_width=40)))
    segments, peaks, snr = pipeline(strain)
    energy = jnp.mean(segments**2, axis=1)
    print("segments", segments.shape)
    print("timing error", np.asarray(peaks) - truth)
    print("snr", np.round(np.asarray(snr), 1), "energy", np.round(np.asarray(energy), 2))


main()
