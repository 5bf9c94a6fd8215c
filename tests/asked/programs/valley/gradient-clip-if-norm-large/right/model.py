from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class MLPConfig:
    in_dim: int
    hidden: tuple
    out_dim: int


def init_mlp(key, cfg: MLPConfig):
    sizes = (cfg.in_dim, *cfg.hidden, cfg.out_dim)
    keys = jax.random.split(key, len(sizes) - 1)
    params = []
    for k, n_in, n_out in zip(keys, sizes[:-1], sizes[1:]):
        w = jax.random.normal(k, (n_in, n_out)) * jnp.sqrt(2.0 / n_in)
        params.append({"w": w, "b": jnp.zeros((n_out,))})
    return params


def apply_mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    last = params[-1]
    return x @ last["w"] + last["b"]


def mse_loss(params, batch):
    x, y = batch
    return jnp.mean((apply_mlp(params, x) - y) ** 2)
