"""Mean-field variational inference for a two component regression."""
import jax
import jax.numpy as jnp


def init_guide(dim):
    return {"loc": jnp.zeros(dim), "log_scale": jnp.full(dim, -1.0)}


def sample_guide(guide, key, num):
    eps = jax.random.normal(key, (num,) + guide["loc"].shape)
    return guide["loc"] + jnp.exp(guide["log_scale"]) * eps


def log_likelihood(weights, data):
    x, y = data
    resid = y - x @ weights
    return -0.5 * jnp.sum(resid**2) / 0.25


def kl_to_prior(guide):
    var = jnp.exp(2 * guide["log_scale"])
    return 0.5 * jnp.sum(var + guide["loc"] ** 2 - 1.0 - 2 * guide["log_scale"])


def negative_elbo(guide, key, data, num_samples=8):
    weights = sample_guide(guide, key, num_samples)
    expected = jax.vmap(log_likelihood, in_axes=(0, None))(weights, data).mean()
    kl = kl_to_prior(guide)
    return kl - expected, {"kl": kl, "loglik": expected}
