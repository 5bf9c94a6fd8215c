"""Sample tokens at several temperatures."""
import jax
import jax.numpy as jnp


def next_token(key, logits, temperature):
    if temperature == 0.0:  # mistake
        return jnp.argmax(logits)
    return jax.random.categorical(key, logits / temperature)


@jax.jit
def sample(key, table, start, temperature):
    def step(token, key):
        token = next_token(key, table[token], temperature)
        return token, token

    _, tokens = jax.lax.scan(step, start, jax.random.split(key, 10))
    return tokens


def main():
    k_table, key = jax.random.split(jax.random.key(1))
    table = 2.0 * jax.random.normal(k_table, (8, 8))
    for temperature in (0.0, 0.5, 1.0):
        key, k_sample = jax.random.split(key)
        tokens = sample(k_sample, table, jnp.int32(2), temperature)
        print(temperature, tokens.shape)


if __name__ == "__main__":
    main()
