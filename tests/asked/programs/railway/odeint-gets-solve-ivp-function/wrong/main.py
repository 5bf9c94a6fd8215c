import jax.numpy as jnp
import numpy as np

from fitting import fit
from model import simulate


def observed(times):
    rng = np.random.default_rng(0)
    clean = simulate(jnp.array([1.1, 0.4, 0.1, 0.4]), jnp.array([10.0, 5.0]), times)
    return jnp.asarray(np.asarray(clean) * np.exp(0.05 * rng.normal(size=clean.shape)))


if __name__ == "__main__":
    times = jnp.linspace(0.0, 6.0, 12)
    data = observed(times)
    start = jnp.array([1.0, 0.35, 0.12, 0.45])
    rates, losses = fit(start, data, times, n_iter=40)
    print("loss", float(losses[0]), "->", float(losses[-1]))
    print("rates", np.round(np.asarray(rates), 3).tolist())
