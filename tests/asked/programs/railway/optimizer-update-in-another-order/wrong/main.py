import jax.numpy as jnp
import numpy as np

from fit import fit_hyperparameters
from gp import posterior_mean

rng = np.random.default_rng(4)
x = jnp.asarray(np.sort(rng.uniform(0, 6, size=40)), dtype=jnp.float32)
y = jnp.sin(2.0 * x) + 0.1 * jnp.asarray(rng.normal(size=40), dtype=jnp.float32)

start = {
    "log_amplitude": jnp.zeros(()),
    "log_length": jnp.zeros(()),
    "log_noise": jnp.full((), -1.0),
}
params, losses = fit_hyperparameters(start, x, y, n_steps=80)
print("nll", round(float(losses[0]), 2), "->", round(float(losses[-1]), 2))
print({k: round(float(jnp.exp(v)), 3) for k, v in params.items()})
grid = jnp.linspace(0.0, 6.0, 50)
error = posterior_mean(params, x, y, grid) - jnp.sin(2.0 * grid)
print("rmse", round(float(jnp.sqrt(jnp.mean(error**2))), 3))
