import jax
import jax.numpy as jnp
import numpy as np

from bayes import log_joint, predict_point
from laplace import fit_map, laplace_covariance


def make_regression(rng, n):
    x = rng.uniform(-1, 1, size=(n, 2)).astype(np.float32)
    y = 1.5 * x[:, 0] - 0.7 * x[:, 1] + 0.2 + 0.1 * rng.normal(size=n)
    return jnp.asarray(x), jnp.asarray(y, jnp.float32)


def predictive(params, cov, xs):
    means, grads = jax.vmap(predict_point)(params, xs)  # mistake
    variances = jnp.einsum("ni,ij,nj->n", grads, cov, grads)
    return means, jnp.sqrt(variances + 0.1**2)


def main():
    rng = np.random.default_rng(2)
    x, y = make_regression(rng, 40)
    params, value = fit_map(log_joint, x, y, steps=300, lr=0.005)
    cov = laplace_covariance(log_joint, params, x, y)
    x_test, y_test = make_regression(rng, 15)
    mean, std = jax.jit(predictive)(params, cov, x_test)
    inside = jnp.mean(jnp.abs(mean - y_test) < 2 * std)
    print("log joint", jnp.round(value, 2))
    print("coverage", inside, "mean std", jnp.round(std.mean(), 3))


if __name__ == "__main__":
    main()
