from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class LinearPosterior:  # mistake
    precision: jax.Array
    moment: jax.Array
    noise: float = 0.5

    @property
    def mean(self):
        return jnp.linalg.solve(self.precision, self.moment)

    def observe(self, x, reward):
        return LinearPosterior(
            self.precision + jnp.outer(x, x) / self.noise**2,
            self.moment + reward * x / self.noise**2,
            self.noise,
        )

    def sample(self, key):
        chol = jnp.linalg.cholesky(self.precision)
        z = jax.random.normal(key, self.moment.shape)
        return self.mean + jax.scipy.linalg.solve_triangular(chol.T, z, lower=False)


def prior(dim, scale=1.0):
    return LinearPosterior(jnp.eye(dim) / scale**2, jnp.zeros(dim))
