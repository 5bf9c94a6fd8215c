import jax.numpy as jnp


def lowpass_response(n_fft: int, fs: float, cutoff: float, order: int):
    freqs = jnp.fft.rfftfreq(n_fft, d=1.0 / fs)
    return 1.0 / jnp.sqrt(1.0 + (freqs / cutoff) ** (2 * order))
