"""Generate with a cache of keys and values."""
from typing import NamedTuple

import jax
import jax.numpy as jnp

WIDTH = 4
CACHE = 24
NEW_TOKENS = 24


class Cache(NamedTuple):
    keys: jax.Array
    values: jax.Array
    length: jax.Array


def empty():
    return Cache(jnp.zeros((CACHE, WIDTH)), jnp.zeros((CACHE, WIDTH)), jnp.zeros((), jnp.int32))


def append(cache, key, value):
    start = (cache.length, 0)
    return Cache(
        jax.lax.dynamic_update_slice(cache.keys, key[None], start),
        jax.lax.dynamic_update_slice(cache.values, value[None], start),
        cache.length + 1,
    )


@jax.jit
def decode(params, x):
    def step(carry, _):
        cache, x = carry
        cache = append(cache, x @ params["key"], x @ params["value"])
        scores = cache.keys @ (x @ params["query"])
        scores = jnp.where(jnp.arange(CACHE) < cache.length, scores, -1e9)
        x = jnp.tanh(jax.nn.softmax(scores) @ cache.values + x)
        return (cache, x), None

    (cache, x), _ = jax.lax.scan(step, (empty(), x), None, length=NEW_TOKENS)
    return cache, x


def main():
    names = ("query", "key", "value")
    keys = jax.random.split(jax.random.key(0), 3)
    params = {name: jax.random.normal(k, (WIDTH, WIDTH)) for name, k in zip(names, keys)}
    cache, x = decode(params, jnp.ones(WIDTH))
    stored = int((jnp.abs(cache.keys).sum(-1) > 0).sum())
    print("generated", int(cache.length), "stored", stored)


if __name__ == "__main__":
    main()
