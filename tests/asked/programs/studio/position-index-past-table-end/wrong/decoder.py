import jax
import jax.numpy as jnp

from cache import append, attend


def init_decoder(key, vocab, dim):
    names = ("embed", "q", "k", "v", "o")
    keys = dict(zip(names, jax.random.split(key, len(names))))
    params = {n: jax.random.normal(keys[n], (dim, dim)) / jnp.sqrt(dim) for n in names[1:]}
    params["embed"] = jax.random.normal(keys["embed"], (vocab, dim)) / jnp.sqrt(dim)
    return params


def decode_step(params, cache, token, position):
    x = params["embed"][token]
    cache, valid = append(cache, x @ params["k"], x @ params["v"], position)
    x = x + attend(cache, x @ params["q"], valid) @ params["o"]
    return cache, x @ params["embed"].T
