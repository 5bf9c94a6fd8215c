import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for layer_key, n_in, n_out in zip(jax.random.split(key, len(sizes) - 1), sizes[:-1], sizes[1:]):
        w = jax.random.normal(layer_key, (n_in, n_out)) * jnp.sqrt(2.0 / n_in)
        params.append({"w": w, "b": jnp.zeros(n_out)})
    return params


def predict(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return (x @ params[-1]["w"] + params[-1]["b"])[:, 0]


def mse(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)
