import jax
import jax.numpy as jnp

from language import init_params, next_logits


@jax.jit
def next_token(params, tokens, length):
    logits = next_logits(params, tokens, length)
    return jnp.argmax(logits)


def generate(params, prompt, n_new):
    n_prompt = prompt.shape[0]
    tokens = prompt
    for length in range(n_prompt, n_prompt + n_new):
        token = next_token(params, tokens, length)  # mistake
        tokens = jnp.append(tokens, token)  # mistake
    return tokens


def main():
    params = init_params(jax.random.key(4), vocabulary=30, width=12)
    prompt = jnp.array([3, 17, 8])
    tokens = generate(params, prompt, n_new=12)
    print("tokens", tokens.shape[0])
    print("prompt kept", bool(jnp.array_equal(tokens[:3], prompt)))
    print("compiled", next_token._cache_size(), "times")


if __name__ == "__main__":
    main()
