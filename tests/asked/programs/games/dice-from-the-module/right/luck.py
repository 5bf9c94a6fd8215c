"""Random numbers for the game."""

import jax

_key = jax.random.key(77)


def start():
    return _key


def roll(key, shape=()):
    return jax.random.randint(key, shape, 1, 7)


def shuffled(key, cards):
    return jax.random.permutation(key, cards)
