"""Levels of a maze: the size of the grid is their difficulty."""
from functools import partial

import jax


@partial(jax.jit, static_argnames="size")
def build(key, size):
    walls = jax.random.bernoulli(key, 0.3, (size, size))
    walls = walls.at[0, 0].set(False).at[-1, -1].set(False)
    return walls


@jax.jit
def openness(walls):
    free = ~walls
    right = free[:, 1:] & free[:, :-1]
    down = free[1:] & free[:-1]
    return (right.sum() + down.sum()) / (2 * free.sum())
