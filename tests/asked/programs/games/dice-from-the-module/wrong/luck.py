"""Random numbers for the game."""

import jax

_key = jax.random.key(77)


def roll(shape=()):
    global _key
    _key, subkey = jax.random.split(_key)  # mistake
    return jax.random.randint(subkey, shape, 1, 7)


def shuffled(cards):
    global _key
    _key, subkey = jax.random.split(_key)  # mistake
    return jax.random.permutation(subkey, cards)
