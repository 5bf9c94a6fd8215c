import jax
import jax.numpy as jnp


def init_cache(n_layers, max_len, n_heads, head_dim, dtype=jnp.bfloat16):
    shape = (max_len, n_heads, head_dim)
    return [
        {"k": jnp.zeros(shape, dtype), "v": jnp.zeros(shape, dtype)}
        for _ in range(n_layers)
    ]


def write(buffer, value, position):
    return jax.lax.dynamic_update_slice(buffer, value[None], (position, 0, 0))  # mistake


def update_layer(layer_cache, k, v, position):
    return {
        "k": write(layer_cache["k"], k, position),
        "v": write(layer_cache["v"], v, position),
    }
