import jax.numpy as jnp
import numpy as np

from mapping import Scan, make_map

N_PIX = 40


def sky_model(x):
    return 0.8 * np.exp(-((x - 15.0) ** 2) / 30.0) + 0.3 * np.exp(-((x - 28.0) ** 2) / 8.0)


def observe(n_samples, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, N_PIX - 1.001, n_samples)
    pixel = np.floor(x).astype(np.int32)
    signal = sky_model(x) + 0.02 * rng.normal(size=n_samples)
    return Scan(jnp.asarray(pixel), jnp.asarray(x - pixel, jnp.float32), jnp.asarray(signal, jnp.float32))


def main():
    mask = jnp.ones(N_PIX, dtype=jnp.int32).at[:2].set(0)
    sky = make_map(mask, [observe(150, seed) for seed in range(3)])
    x = np.arange(N_PIX)
    print("map  ", np.round(np.asarray(sky[10:20]), 2))
    print("truth", np.round(sky_model(x[10:20]), 2))
    print("rms error %.3f" % np.sqrt(np.mean((np.asarray(sky)[2:] - sky_model(x)[2:]) ** 2)))


if __name__ == "__main__":
    main()
