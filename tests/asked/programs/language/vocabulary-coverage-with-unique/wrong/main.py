"""Diversity of generated text."""
import jax
import jax.numpy as jnp

VOCABULARY = 30


@jax.jit
def diversity(tokens):
    distinct = jnp.unique(tokens)  # mistake
    return distinct.size / tokens.size


@jax.jit
def repetition(tokens):
    return jnp.mean(tokens[1:] == tokens[:-1])


def main():
    key = jax.random.key(0)
    for sharpness in (0.5, 2.0):
        k_logits, k_sample = jax.random.split(jax.random.fold_in(key, int(10 * sharpness)))
        logits = sharpness * jax.random.normal(k_logits, (VOCABULARY,))
        tokens = jax.random.categorical(k_sample, logits, shape=(40,))
        print(sharpness, float(diversity(tokens)) > 0.1, float(repetition(tokens)) < 0.9)


if __name__ == "__main__":
    main()
