from functools import partial

import jax
import jax.numpy as jnp

from cache import KVCache
from decoder import decode_step, init_decoder

VOCAB, DIM, WINDOW = 40, 16, 12


@partial(jax.jit, static_argnames="length")
def generate(params, key, first, length):
    def body(carry, inputs):
        cache, token = carry
        position, step_key = inputs
        cache, logits = decode_step(params, cache, token, position)
        token = jax.random.categorical(step_key, 4.0 * logits)
        return (cache, token), token

    init = (KVCache.empty(WINDOW, DIM), first)
    steps = (jnp.arange(length), jax.random.split(key, length))
    (cache, _), tokens = jax.lax.scan(body, init, steps)
    return cache, tokens


def main():
    init_key, sample_key = jax.random.split(jax.random.key(0))
    params = init_decoder(init_key, VOCAB, DIM)
    first = jnp.zeros((), jnp.int32)
    cache, tokens = generate(params, sample_key, first, length=30)
    recent = params["embed"][tokens[-WINDOW - 1:-1]] @ params["k"]
    gaps = jnp.linalg.norm(cache.keys[:, None] - recent[None], axis=-1).min(axis=1)
    print("tokens", tokens.tolist())
    print("cache slots holding recent tokens", int((gaps < 1e-4).sum()), "of", WINDOW)


if __name__ == "__main__":
    main()
