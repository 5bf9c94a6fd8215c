"""Fit a ridge regression, and look at the size of the weights."""
import jax
import jax.numpy as jnp
import optax

from optimizers import make


def loss_fn(weights, x, y):
    return jnp.mean((x @ weights - y) ** 2)


def fit(optimizer, x, y, steps):
    weights = jnp.ones(x.shape[1])
    opt_state = optimizer.init(weights)

    @jax.jit
    def step(weights, opt_state):
        grads = jax.grad(loss_fn)(weights, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, weights)
        return optax.apply_updates(weights, updates), opt_state

    for _ in range(steps):
        weights, opt_state = step(weights, opt_state)
    return weights


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (40, 3))
    y = x @ jnp.array([1.0, -2.0, 0.5])
    plain = fit(make("sgd", 0.1, 0.0), x, y, 30)
    ridge = fit(make("sgd", 0.1, 0.05), x, y, 30)
    print("smaller weights", bool(jnp.linalg.norm(ridge) < jnp.linalg.norm(plain)))
