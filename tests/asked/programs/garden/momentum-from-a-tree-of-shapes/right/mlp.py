import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    layers = {}
    keys = jax.random.split(key, len(sizes) - 1)
    for i, (k, n_in, n_out) in enumerate(zip(keys, sizes[:-1], sizes[1:])):
        layers[f"layer{i}"] = {
            "w": jax.random.normal(k, (n_in, n_out)) * (2.0 / n_in) ** 0.5,
            "b": jnp.zeros((n_out,)),
        }
    return layers


def predict(params, x):
    names = sorted(params)
    for name in names[:-1]:
        x = jax.nn.relu(x @ params[name]["w"] + params[name]["b"])
    last = params[names[-1]]
    return (x @ last["w"] + last["b"])[:, 0]
