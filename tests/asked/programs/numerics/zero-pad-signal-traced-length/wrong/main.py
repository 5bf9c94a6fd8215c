import jax.numpy as jnp
import numpy as np

from filters import lowpass_response
from spectral import filter_signal


def chirp(n, fs, f0=5.0, f1=60.0):
    t = np.arange(n) / fs
    phase = 2 * np.pi * (f0 * t + 0.5 * (f1 - f0) / t[-1] * t**2)
    return np.sin(phase).astype(np.float32)


def next_pow2(n: int) -> int:
    return 1 << (n - 1).bit_length()


fs = 200.0
rng = np.random.default_rng(0)
clean = chirp(900, fs)
noisy = clean + 0.4 * rng.normal(size=clean.shape).astype(np.float32)

n_fft = next_pow2(len(noisy))
pad = n_fft - len(noisy)
response = lowpass_response(n_fft, fs, cutoff=70.0, order=4)

filtered = filter_signal(jnp.asarray(noisy), response, pad)
rms_before = float(jnp.sqrt(jnp.mean((noisy - clean) ** 2)))
rms_after = float(jnp.sqrt(jnp.mean((filtered - clean) ** 2)))
print("n_fft", n_fft, "pad", pad)
print(f"rms error before {rms_before:.3f} after {rms_after:.3f}")
