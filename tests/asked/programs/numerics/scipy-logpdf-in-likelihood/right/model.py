import jax.numpy as jnp
from jax.scipy import stats


class LinearModel:
    """theta = (intercept, slope, log sigma)."""

    def __init__(self, prior_scale: float):
        self.prior_scale = prior_scale

    def log_prior(self, theta):
        return jnp.sum(-0.5 * (theta / self.prior_scale) ** 2)

    def log_likelihood(self, theta, x, y):
        mu = theta[0] + theta[1] * x
        return jnp.sum(stats.norm.logpdf(y, loc=mu, scale=jnp.exp(theta[2])))

    def log_posterior(self, theta, x, y):
        return self.log_prior(theta) + self.log_likelihood(theta, x, y)
