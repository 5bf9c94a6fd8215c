"""Importance sampling with pruned weights."""
import jax
import jax.numpy as jnp


def log_target(x):
    return -0.25 * x**4 + x


@jax.jit
def posterior_mean(x, log_weights):
    weights = jax.nn.softmax(log_weights)
    weights = jnp.where(weights > 1e-4, weights, 0.0)
    return jnp.sum(x * weights) / jnp.sum(weights)


@jax.jit
def effective_size(log_weights):
    weights = jax.nn.softmax(log_weights)
    return 1.0 / jnp.sum(weights**2)


def main():
    for scale in (1.0, 2.0):
        x = scale * jax.random.normal(jax.random.key(1), (400,))
        log_weights = log_target(x) + 0.5 * (x / scale) ** 2
        mean = posterior_mean(x, log_weights)
        print(scale, round(float(mean), 0), float(effective_size(log_weights)) > 50)


if __name__ == "__main__":
    main()
