"""Score prompts with a bag-of-words model."""
import jax
import jax.numpy as jnp
import numpy as np

from batching import PAD, collate


@jax.jit
def score(weights, tokens):
    present = (tokens != PAD).astype(jnp.float32)
    return (weights[tokens] * present).sum(-1) / jnp.maximum(present.sum(-1), 1.0)


def requests(rng, n):
    for _ in range(n):
        yield [rng.integers(1, 50, rng.integers(3, 30)).tolist() for _ in range(2)]


def main():
    weights = jax.random.normal(jax.random.key(0), (50,))
    total = 0.0
    for prompts in requests(np.random.default_rng(0), 15):
        total += float(score(weights, collate(prompts)).sum())
    print("score", round(total, 2), "compiled", score._cache_size())


if __name__ == "__main__":
    main()
