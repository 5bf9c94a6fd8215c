"""A readout on standardised features."""
import jax
import jax.numpy as jnp


def standardise(x):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)  # mistake


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params["hidden"] + params["bias"])
    return jnp.mean((standardise(hidden) @ params["out"] - y) ** 2)


@jax.jit
def step(params, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 1e-2 * g, params, grads)


if __name__ == "__main__":
    key_x, key_h = jax.random.split(jax.random.key(0))
    x = jax.random.normal(key_x, (50, 4))
    params = {
        "hidden": jax.random.normal(key_h, (4, 8)).at[:, 0].set(0.0),
        "bias": jnp.zeros(8),
        "out": jnp.ones(8),
    }
    for _ in range(3):
        params = step(params, x, x[:, 0])
    print("finite", bool(jnp.isfinite(params["hidden"]).all()))
