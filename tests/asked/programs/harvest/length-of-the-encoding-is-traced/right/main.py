import jax
import jax.numpy as jnp

from encoder import encode, init_params


def main():
    key_params, key_tokens = jax.random.split(jax.random.key(11))
    params = init_params(key_params, vocabulary=50, width=16)
    for length in (6, 9):
        tokens = jax.random.randint(jax.random.fold_in(key_tokens, length), (4, length), 0, 50)
        features = encode(params, tokens, length)
        print("length", length, "features", features.shape)
        print("mean of squares", round(float(jnp.mean(features**2)), 4))


if __name__ == "__main__":
    main()
