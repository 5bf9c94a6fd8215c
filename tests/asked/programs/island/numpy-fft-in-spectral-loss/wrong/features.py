import jax.numpy as jnp
import numpy as np


def frame(audio, size: int, hop: int):
    starts = np.arange(0, audio.shape[-1] - size + 1, hop)
    return audio[starts[:, None] + np.arange(size)]


def log_spectrogram(audio, size: int, eps: float = 1e-4):
    window = np.hanning(size)
    frames = frame(audio, size, size // 2) * window
    spec = np.fft.rfft(frames)  # mistake
    power = spec.real**2 + spec.imag**2
    return jnp.log(power + eps)


def multi_scale_loss(pred, target, sizes=(128, 256, 512)):
    total = 0.0
    for size in sizes:
        diff = log_spectrogram(pred, size) - log_spectrogram(target, size)
        total = total + jnp.mean(jnp.abs(diff))
    return total / len(sizes)
