import jax
import jax.numpy as jnp
import numpy as np

from features import WindowConfig, windowed_features


def synthetic_ecg(seconds: float, fs: int, bpm: float = 72.0, seed: int = 4):
    rng = np.random.default_rng(seed)
    t = np.arange(int(seconds * fs)) / fs
    beat = (t * bpm / 60.0) % 1.0
    signal = np.exp(-((beat - 0.3) ** 2) / 0.0008) + 0.2 * np.exp(-((beat - 0.6) ** 2) / 0.005)
    return (signal + 0.05 * rng.normal(size=t.shape)).astype(np.float32)


def main():
    fs = 250
    cfg = WindowConfig(width=fs, hop=fs // 2)
    channels = np.stack([synthetic_ecg(12.0, fs, bpm=b, seed=s) for s, b in enumerate((60, 75, 90))])
    extract = jax.jit(jax.vmap(lambda x: windowed_features(x, cfg)))
    feats = extract(jnp.asarray(channels))
    print("features", feats.shape)
    print("mean energy per channel", feats[..., 0].mean(axis=1))
    print("zero crossings per channel", feats[..., 2].mean(axis=1))


if __name__ == "__main__":
    main()
