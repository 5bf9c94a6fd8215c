"""Fit a variance-gamma distribution to daily returns."""
import jax
import jax.numpy as jnp
import numpy as np

from special import log_bessel_k


def log_density(x, params):
    """Symmetric variance-gamma density with shape 1.5."""
    scale = jnp.exp(params["log_scale"])
    z = jnp.abs(x - params["centre"]) / scale + 1e-3
    return jnp.log(z) + log_bessel_k(z) - jnp.log(scale) - jnp.log(jnp.pi)


@jax.jit
def negative_log_likelihood(params, returns):
    return -jnp.mean(log_density(returns, params))


def fit(returns, steps=80, rate=0.05):
    params = {"centre": jnp.array(0.0), "log_scale": jnp.array(0.5)}
    gradient = jax.jit(jax.grad(negative_log_likelihood))
    for _ in range(steps):
        grads = gradient(params, returns)
        params = jax.tree.map(lambda p, g: p - rate * g, params, grads)
    return params


def main():
    rng = np.random.default_rng(21)
    mixing = rng.gamma(1.5, 1.0, size=200)
    returns = jnp.asarray(0.3 + np.sqrt(mixing) * rng.normal(size=200), dtype=jnp.float32)
    start = {"centre": jnp.array(0.0), "log_scale": jnp.array(0.5)}
    before = negative_log_likelihood(start, returns)
    print(f"start {float(before):.2f}")
    params = fit(returns)
    after = negative_log_likelihood(params, returns)
    print("improved:", bool(after < before))
    print(f"centre {float(params['centre']):.1f}")


if __name__ == "__main__":
    main()
