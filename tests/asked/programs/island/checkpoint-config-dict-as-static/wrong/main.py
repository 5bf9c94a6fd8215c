import jax
import jax.numpy as jnp
import numpy as np

from checkpoint import pack, unpack
from gru_lm import ModelConfig, init_params
from sampling import generate

ALPHABET = " abcdefghijklmnopqrstuvwxyz"


def decode(ids) -> str:
    return "".join(ALPHABET[int(i)] for i in ids)


def main():
    init_key, sample_key = jax.random.split(jax.random.key(9))
    config = ModelConfig(vocab_size=len(ALPHABET), hidden=32, temperature=0.7)
    blob = pack(init_params(init_key, config), config, step=1200)

    params, config, step = unpack(blob)
    print("restored step", step, "bytes", len(blob) > 1000)
    prompt = jnp.asarray([ALPHABET.index(c) for c in "the "])
    tokens = generate(params, prompt, sample_key, config=config, num_tokens=20)  # mistake
    print("sample:", decode(np.asarray(tokens)))


if __name__ == "__main__":
    main()
