import jax
import jax.numpy as jnp


def layer_bound(n_in: int, first: bool, w0: float) -> float:
    return 1.0 / n_in if first else (6.0 / n_in) ** 0.5 / w0


def init(key, sizes, w0):
    params = []
    keys = jax.random.split(key, len(sizes) - 1)
    for i, (k, n_in, n_out) in enumerate(zip(keys, sizes[:-1], sizes[1:])):
        bound = layer_bound(n_in, i == 0, w0)
        w = jax.random.uniform(k, (n_in, n_out), -bound, bound)  # mistake
        params.append({"w": w, "b": jnp.zeros(n_out)})
    return params


def apply(params, x, w0):
    for layer in params[:-1]:
        x = jnp.sin(w0 * (x @ layer["w"] + layer["b"]))
    last = params[-1]
    return (x @ last["w"] + last["b"])[:, 0]
