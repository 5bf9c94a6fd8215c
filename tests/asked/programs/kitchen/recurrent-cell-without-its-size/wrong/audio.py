import numpy as np

RATE = 4000


def tone(rng, freq, seconds=0.25):
    t = np.arange(int(RATE * seconds)) / RATE
    wave = np.sin(2 * np.pi * freq * t + rng.uniform(0, 2 * np.pi))
    return wave + 0.3 * rng.normal(size=t.shape)


def log_spectrogram(wave, window=128, hop=64):
    starts = range(0, len(wave) - window + 1, hop)
    frames = np.stack([wave[s : s + window] for s in starts]) * np.hanning(window)
    power = np.abs(np.fft.rfft(frames, axis=-1)) ** 2
    return np.log(power + 1e-4).astype(np.float32)


def make_dataset(rng, size, freqs=(300.0, 700.0, 1200.0)):
    labels = rng.integers(0, len(freqs), size)
    clips = [log_spectrogram(tone(rng, freqs[k] * rng.uniform(0.9, 1.1))) for k in labels]
    return np.stack(clips), labels.astype(np.int32)
