"""A row of stones from which one or two may be taken at an end."""
import jax.numpy as jnp


def initial(size):
    return jnp.ones(size, jnp.int32)


def moves(board):
    left = int(board.sum())
    for taken in (1, 2):
        if taken <= left:
            yield board.at[left - taken : left].set(0)
