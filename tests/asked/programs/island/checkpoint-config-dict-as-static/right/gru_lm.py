from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class ModelConfig:
    vocab_size: int
    hidden: int
    temperature: float = 1.0

    def __getitem__(self, name):
        return getattr(self, name)


def init_params(key, config):
    embed_key, in_key, rec_key, out_key = jax.random.split(key, 4)
    v, h = config["vocab_size"], config["hidden"]
    return {
        "embed": jax.random.normal(embed_key, (v, h)),
        "w_in": jax.random.normal(in_key, (h, 3 * h)) / h**0.5,
        "w_rec": jax.random.normal(rec_key, (h, 3 * h)) / h**0.5,
        "out": jax.random.normal(out_key, (h, v)) / h**0.5,
    }


def gru_step(params, state, token):
    xi = params["embed"][token] @ params["w_in"]
    xr, xz, xn = jnp.split(xi, 3)
    hr, hz, hn = jnp.split(state @ params["w_rec"], 3)
    reset, update = jax.nn.sigmoid(xr + hr), jax.nn.sigmoid(xz + hz)
    candidate = jnp.tanh(xn + reset * hn)
    return (1 - update) * state + update * candidate
