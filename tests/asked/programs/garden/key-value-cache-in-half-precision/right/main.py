import jax
import jax.numpy as jnp
import numpy as np

from cache import init_cache
from decoder import DecoderConfig, decode_token, init_params


def generate(params, cfg, prompt, n_new):
    cache = init_cache(cfg.n_layers, cfg.max_len, cfg.n_heads, cfg.head_dim)

    @jax.jit
    def step(carry, token):
        cache, position = carry
        logits, cache = decode_token(params, cfg, token, cache, position)
        return (cache, position + 1), jnp.argmax(logits).astype(jnp.int32)

    carry = (cache, jnp.int32(0))
    for token in prompt:
        carry, next_token = step(carry, token)
    tokens = []
    for _ in range(n_new):
        tokens.append(int(next_token))
        carry, next_token = step(carry, next_token)
    return tokens


def main():
    cfg = DecoderConfig()
    params = init_params(jax.random.key(5), cfg)
    prompt = np.array([3, 14, 15, 9, 2], dtype=np.int32)
    tokens = generate(params, cfg, prompt, n_new=8)
    print("prompt", prompt.tolist())
    print("generated", tokens)


if __name__ == "__main__":
    main()
