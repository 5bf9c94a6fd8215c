import jax
import jax.numpy as jnp
import numpy as np

from model import WindowDenoiser
from training import descend, signal_to_noise


def tones(count, length=128, seed=0):
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, length)
    frequency = rng.uniform(2.0, 6.0, size=(count, 1))
    phase = rng.uniform(0.0, 2 * np.pi, size=(count, 1))
    clean = np.sin(2 * np.pi * frequency * time + phase)
    noisy = clean + 0.3 * rng.normal(size=clean.shape)
    return noisy.astype(np.float32), clean.astype(np.float32)


def main():
    noisy, clean = tones(32)
    model = WindowDenoiser(9, 24, jax.random.key(0))
    rate = jnp.asarray(0.1)
    for step in range(120):
        model, loss = descend(model, noisy, clean, rate)
        if step % 30 == 0:
            print(step, loss)
    test_noisy, test_clean = tones(8, seed=5)
    print("signal to noise in dB", signal_to_noise(model, test_noisy, test_clean))


if __name__ == "__main__":
    main()
