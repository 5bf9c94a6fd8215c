from dataclasses import dataclass

import jax
import jax.numpy as jnp

from cache import update_layer


@dataclass(frozen=True)
class DecoderConfig:
    vocab: int = 32
    n_layers: int = 2
    n_heads: int = 2
    head_dim: int = 8
    max_len: int = 24

    @property
    def width(self) -> int:
        return self.n_heads * self.head_dim


def init_params(key, cfg):
    k_embed, *k_layers = jax.random.split(key, cfg.n_layers + 1)
    d, h, e = cfg.width, cfg.n_heads, cfg.head_dim
    layers = []
    for k in k_layers:
        k_qkv, k_out = jax.random.split(k)
        layers.append({
            "qkv": jax.random.normal(k_qkv, (3, d, h, e)) / d**0.5,
            "out": jax.random.normal(k_out, (h, e, d)) / d**0.5,
        })
    return {"embed": jax.random.normal(k_embed, (cfg.vocab, d)), "layers": layers}


def decode_token(params, cfg, token, cache, position):
    x = params["embed"][token]
    visible = jnp.arange(cfg.max_len) <= position
    new_cache = []
    for layer, layer_cache in zip(params["layers"], cache):
        q, k, v = jnp.einsum("d,sdhe->she", x, layer["qkv"])
        layer_cache = update_layer(layer_cache, k, v, position)
        scores = jnp.einsum("he,the->ht", q, layer_cache["k"]) / cfg.head_dim**0.5
        weights = jax.nn.softmax(jnp.where(visible, scores, -1e9), axis=-1)
        mixed = jnp.einsum("ht,the->he", weights, layer_cache["v"])
        x = x + jnp.einsum("he,hed->d", mixed, layer["out"])
        new_cache.append(layer_cache)
    return params["embed"] @ x, new_cache
