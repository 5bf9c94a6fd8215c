from typing import Callable

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm


def make_log_posterior(design, y, noise: float, prior_scale: float) -> Callable[[jax.Array], jax.Array]:
    def log_posterior(beta):
        mean = design @ beta
        log_lik = jnp.sum(norm.logpdf(y, mean, noise))
        log_prior = jnp.sum(norm.logpdf(beta, 0.0, prior_scale))
        return log_lik + log_prior

    return log_posterior
