import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_solve, solve_triangular


def rbf(a, b, lengthscale, variance):
    squared = jnp.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return variance * jnp.exp(-0.5 * squared / lengthscale**2)


def safe_cholesky(matrix, max_tries=6):
    jitter = 0.0
    for attempt in range(max_tries):
        try:
            return jnp.linalg.cholesky(matrix + jitter * jnp.eye(len(matrix)))  # mistake
        except np.linalg.LinAlgError:  # mistake
            jitter = 10.0 ** (attempt - 6)
    raise ValueError("covariance is not positive definite")


class GaussianProcess:
    def __init__(self, lengthscale, variance, noise):
        self.lengthscale, self.variance, self.noise = lengthscale, variance, noise

    def fit(self, x, y):
        self.x = x
        cov = rbf(x, x, self.lengthscale, self.variance) + self.noise**2 * jnp.eye(len(x))
        self.chol = safe_cholesky(cov)
        self.alpha = cho_solve((self.chol, True), y)
        return self

    def predict(self, x_new):
        cross = rbf(x_new, self.x, self.lengthscale, self.variance)
        mean = cross @ self.alpha
        v = solve_triangular(self.chol, cross.T, lower=True)
        return mean, jnp.sqrt(jnp.maximum(self.variance - jnp.sum(v**2, axis=0), 0.0))
