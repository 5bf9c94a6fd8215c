"""Encode a sentence and look at the attention."""
import jax
import jax.numpy as jnp

from layers import Attention

layer = Attention(6)


@jax.jit
def encode(params, x):
    return jnp.tanh(layer(params, x)).mean(0)


def main():
    k_params, k_x = jax.random.split(jax.random.key(0))
    params = layer.init(k_params)
    x = jax.random.normal(k_x, (5, 6))
    code = encode(params, x)
    print(code.shape)
    print("most looked at", jnp.argmax(layer.last_map.sum(0)))


if __name__ == "__main__":
    main()
