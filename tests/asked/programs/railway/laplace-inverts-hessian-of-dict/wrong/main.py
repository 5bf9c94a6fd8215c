import jax
import jax.numpy as jnp
import numpy as np

from laplace import laplace_covariance
from model import negative_log_posterior
from optimise import find_mode


def make_data(seed=5, n=200):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    p = 1.0 / (1.0 + np.exp(-(0.4 + x @ np.array([1.5, -0.8]))))
    y = (rng.uniform(size=n) < p).astype(np.float32)
    return jnp.asarray(x, dtype=jnp.float32), jnp.asarray(y)


x, y = make_data()
start = {"bias": jnp.zeros(()), "weights": jnp.zeros(2)}
mode = find_mode(negative_log_posterior, start, x, y)
print("mode", jax.tree.map(lambda v: np.round(np.asarray(v), 3).tolist(), mode))

covariance = laplace_covariance(negative_log_posterior, mode, x, y)
print("standard deviations", np.round(np.sqrt(np.diag(np.asarray(covariance))), 3).tolist())
