import jax.numpy as jnp
import scipy.special as sps


def negbin_logpmf(y, mean, dispersion):
    log_choose = sps.gammaln(y + dispersion) - sps.gammaln(dispersion) - sps.gammaln(y + 1.0)  # mistake
    log_p = jnp.log(dispersion) - jnp.log(dispersion + mean)
    log_q = jnp.log(mean) - jnp.log(dispersion + mean)
    return log_choose + dispersion * log_p + y * log_q


def log_posterior(theta, dose, counts):
    intercept, slope, log_disp = theta
    mean = jnp.exp(intercept + slope * dose)
    prior = -0.5 * (intercept**2 / 9.0 + slope**2 + log_disp**2)
    return prior + negbin_logpmf(counts, mean, jnp.exp(log_disp)).sum()
