import jax
import jax.numpy as jnp
import numpy as np

from mixture import Mixture, log_likelihood
from mle import fit

rng = np.random.default_rng(0)
groups = rng.uniform(size=500) < 0.35
returns = np.where(groups, rng.normal(-1.0, 1.5, size=500), rng.normal(0.8, 0.6, size=500))
returns = jnp.asarray(returns, dtype=jnp.float32)

start = Mixture(jnp.zeros(()), jnp.array([-0.5, 0.5]), jnp.zeros(2))
print("likelihood of the first 20", round(float(log_likelihood(start, returns[:20])), 2))
print("likelihood of all", round(float(log_likelihood(start, returns)), 2))

fitted = fit(start, returns, n_steps=300)
print("weight", round(float(jax.nn.sigmoid(fitted.logit)), 2))
print("means", np.round(np.asarray(fitted.means), 2).tolist())
print("scales", np.round(np.exp(np.asarray(fitted.log_scales)), 2).tolist())
