"""Continue some prompts."""
import jax
import jax.numpy as jnp

import model
from generate import generate


def main():
    params = model.init(jax.random.key(5))
    for prompt in (3, 7, 11):
        print(prompt, generate(params, jnp.int32(prompt)).tolist())


if __name__ == "__main__":
    main()
