"""Blend the weights of a published tagger with our own."""

import jax
import jax.numpy as jnp

from published import load
from tagger import create, tag


def blend(ours, theirs, share):
    return jax.tree.map(lambda a, b: (1 - share) * a + share * b, ours, theirs)  # mistake


def agreement(first, second, words):
    return float(jnp.mean(tag(first, words) == tag(second, words)))


def main():
    ours = create(jax.random.key(0))
    theirs = load()
    mixed = blend(ours, theirs, 0.9)  # mistake
    words = jax.random.normal(jax.random.key(1), (500, 6))
    print("layers", sorted(mixed))
    print("more like theirs:", agreement(mixed, theirs, words) > agreement(mixed, ours, words))


if __name__ == "__main__":
    main()
