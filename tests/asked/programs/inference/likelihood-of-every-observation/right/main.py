"""Maximum a posteriori estimate of a line."""
import jax
import jax.numpy as jnp
import numpy as np

from models import Regression, log_likelihood, log_prior


def negative_log_posterior(params, x, y):
    return -(log_likelihood(params, x, y) + log_prior(params))


@jax.jit
def descend(params, x, y):
    grads = jax.grad(negative_log_posterior)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.002 * g, params, grads)


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 80).astype(np.float32)
    y = 1.5 * x - 0.5 + 0.3 * rng.normal(size=80).astype(np.float32)
    params = Regression(jnp.zeros(()), jnp.zeros(()), jnp.zeros(()))
    for _ in range(500):
        params = descend(params, x, y)
    print("slope", round(float(params.slope), 0), "noise below 0.5:", float(jnp.exp(params.log_sigma)) < 0.5)


if __name__ == "__main__":
    main()
