import jax
import jax.numpy as jnp


def init(key, din, width):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": {"w": jax.random.normal(k1, (din, width)) / jnp.sqrt(din), "b": jnp.zeros(width)},
        "out": {"w": jax.random.normal(k2, (width,)) / jnp.sqrt(width), "b": jnp.zeros(())},
    }


def predict(params, x):
    h = jax.nn.relu(x @ params["hidden"]["w"] + params["hidden"]["b"])
    return h @ params["out"]["w"] + params["out"]["b"]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)
