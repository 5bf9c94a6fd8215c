import jax


def sample_prior(key):
    return jax.random.normal(key)


def log_prices(key, theta, n_obs):
    return theta + jax.random.normal(key, (n_obs,))
