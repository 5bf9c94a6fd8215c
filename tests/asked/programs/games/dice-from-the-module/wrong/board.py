"""The rules of a small race."""

import jax
import jax.numpy as jnp
import luck

GOAL = 40
PLAYERS = 3
SNAKES = jnp.array([7, 18, 33])
DROP = 5


@jax.jit
def play_round(positions):
    positions = positions + luck.roll((PLAYERS,))  # mistake
    bitten = jnp.isin(positions, SNAKES)
    return jnp.where(bitten, positions - DROP, positions)


def leader(positions):
    return int(jnp.argmax(positions))
