"""Robust regression whose steps are checked."""
import jax
import jax.numpy as jnp
import numpy as np

from checks import all_finite


def huber(residual, delta=1.0):
    size = jnp.abs(residual)
    return jnp.where(size < delta, 0.5 * residual**2, delta * (size - 0.5 * delta))


@jax.jit
def step(params, x, y):
    def loss_fn(params):
        return huber(x @ params["w"] + params["b"] - y).mean()

    grads = jax.grad(loss_fn)(params)
    params = jax.tree.map(lambda p, g: p - 0.3 * g, params, grads)
    return params, all_finite(grads)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2)).astype(np.float32)
    y = x @ np.array([1.0, -2.0], np.float32)
    params = {"w": jnp.zeros(2), "b": jnp.zeros(())}
    for _ in range(80):
        params, finite = step(params, x, y)
        assert finite, "gradients are not finite"
    print(np.round(np.asarray(params["w"]), 1).tolist())


if __name__ == "__main__":
    main()
