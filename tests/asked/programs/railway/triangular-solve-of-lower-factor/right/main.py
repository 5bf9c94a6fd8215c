import jax.numpy as jnp
import numpy as np

from gp import GaussianProcess, Matern32


def make_data(seed, n):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3.0, 3.0, size=n))
    y = np.sin(1.5 * x) + 0.3 * x + 0.05 * rng.normal(size=n)
    return jnp.asarray(x, dtype=jnp.float32), jnp.asarray(y, dtype=jnp.float32)


if __name__ == "__main__":
    x, y = make_data(3, 60)
    gp = GaussianProcess(Matern32(amplitude=1.2, length=1.0), noise=0.05)
    grid = jnp.linspace(-2.5, 2.5, 40)
    mean, std = gp.predict(x, y, grid)
    truth = jnp.sin(1.5 * grid) + 0.3 * grid
    print("rmse", round(float(jnp.sqrt(jnp.mean((mean - truth) ** 2))), 3))
    print("mean std", round(float(std.mean()), 3))
    inside = jnp.abs(mean - truth) < 2 * std
    print("covered", round(float(inside.mean()), 2))
    print("log evidence", round(float(gp.log_evidence(x, y)), 2))
