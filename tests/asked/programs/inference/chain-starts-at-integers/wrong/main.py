"""Find the mode of a posterior, then sample around it."""
import jax
import jax.numpy as jnp
import numpy as np

COUNTS = np.array([3, 5, 2, 6, 4])


def log_posterior(theta):
    rate = jnp.exp(theta[0])
    likelihood = jnp.sum(COUNTS * theta[0] - rate)
    hierarchy = -0.5 * (theta[0] - theta[1]) ** 2 - 0.5 * theta[1] ** 2 / 4.0
    return likelihood + hierarchy


def find_mode(start, steps=200, rate=0.02):
    gradient = jax.jit(jax.grad(log_posterior))
    theta = start
    for _ in range(steps):
        theta = theta + rate * gradient(theta)  # mistake
    return theta


def main():
    start = jnp.array([1, 0])  # mistake
    mode = find_mode(start)
    curvature = -jax.hessian(log_posterior)(mode)
    draws = mode + jax.random.normal(jax.random.key(0), (500, 2)) @ jnp.linalg.cholesky(jnp.linalg.inv(curvature)).T
    print("rate", round(float(jnp.exp(mode[0])), 1), draws.shape)


if __name__ == "__main__":
    main()
