"""Compare activations in a character model."""
import jax
import jax.numpy as jnp
import numpy as np

ACTIVATIONS = {"relu": jax.nn.relu, "gelu": jax.nn.gelu, "tanh": jnp.tanh}


def encode(text):
    return np.array([ord(c) - ord("a") for c in text if c.isalpha()], np.int32)


def init(key, width=8):
    k1, k2 = jax.random.split(key)
    return jax.random.normal(k1, (26, width)), jax.random.normal(k2, (width, 26)) / width


@jax.jit
def loss(params, tokens, activation):
    embedding, out = params
    hidden = ACTIVATIONS[activation](embedding[tokens[:-1]])  # mistake
    logp = jax.nn.log_softmax(hidden @ out)
    return -jnp.mean(jnp.take_along_axis(logp, tokens[1:, None], axis=1))


def main():
    tokens = encode("the quick brown fox jumps over the lazy dog".lower())
    params = init(jax.random.key(0))
    for name in ACTIVATIONS:
        print(name, round(float(loss(params, tokens, name)), 1))  # mistake


if __name__ == "__main__":
    main()
