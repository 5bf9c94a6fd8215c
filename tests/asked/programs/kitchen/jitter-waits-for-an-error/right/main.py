import jax.numpy as jnp
import numpy as np

from gp import GaussianProcess

SETTINGS = {"lengthscale": 0.8, "variance": 1.0, "noise": 1e-4}


def oven_curve(rng, n):
    minutes = np.sort(rng.uniform(0.0, 4.0, (n, 1)), axis=0)
    temperature = np.sin(1.5 * minutes[:, 0]) + 0.001 * rng.normal(size=n)
    return jnp.asarray(minutes, jnp.float32), jnp.asarray(temperature, jnp.float32)


def main():
    rng = np.random.default_rng(30)
    for n in (5, 20, 80):
        x, y = oven_curve(rng, n)
        process = GaussianProcess(**SETTINGS).fit(x, y)
        x_new = jnp.linspace(0.5, 3.5, 4)[:, None]
        mean, std = process.predict(x_new)
        error = jnp.abs(mean - jnp.sin(1.5 * x_new[:, 0])).max()
        print(f"{n} points: largest error {error:.3f}, largest std {std.max():.3f}")


if __name__ == "__main__":
    main()
