"""Remove spikes from an ECG-like recording with a running median."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def synthetic_recording(rng, n=400):
    t = np.arange(n) / 100.0
    beat = np.exp(-0.5 * (((t % 0.8) - 0.4) / 0.03) ** 2)
    drift = 0.2 * np.sin(2 * np.pi * 0.3 * t)
    signal = beat + drift + rng.normal(0.0, 0.02, n)
    spikes = rng.choice(n, size=12, replace=False)
    signal[spikes] += rng.choice([-3.0, 3.0], size=12)
    return signal.astype(np.float32), np.sort(spikes)


def local_median(padded, centre, half):
    window = lax.dynamic_slice_in_dim(padded, centre - half, 2 * half + 1)
    return jnp.median(window)


@partial(jax.jit, static_argnames="half")
def running_median(signal, half=3):
    n = signal.shape[0]
    padded = jnp.pad(signal, half, mode="edge")
    interior = padded[half : half + n]

    def body(i, filtered):
        return filtered.at[i].set(local_median(padded, i + half, half))

    return lax.fori_loop(0, n, body, jnp.zeros_like(interior))


def despike(signal, half=3, threshold=1.0):
    smooth = running_median(signal, half=half)
    outlier = jnp.abs(signal - smooth) > threshold
    return jnp.where(outlier, smooth, signal), outlier


def main():
    signal, spikes = synthetic_recording(np.random.default_rng(17))
    print("spikes put in:", len(spikes))
    cleaned, outlier = despike(jnp.asarray(signal), half=3)
    print("samples replaced:", int(outlier.sum()))
    found = np.flatnonzero(np.asarray(outlier))
    print("all spikes found:", bool(np.isin(spikes, found).all()))
    print(f"range after: {float(cleaned.min()):.1f} to {float(cleaned.max()):.1f}")


if __name__ == "__main__":
    main()
