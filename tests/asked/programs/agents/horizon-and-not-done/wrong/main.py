"""Play a guessing game on the accelerator until it is solved or the time is over."""
from typing import NamedTuple

import jax
import jax.numpy as jnp

HORIZON = 16


class Game(NamedTuple):
    time: jax.Array
    low: jax.Array
    high: jax.Array
    solved: jax.Array


def start():
    return Game(jnp.array(0), jnp.array(0), jnp.array(1000), jnp.array(False))


def play(secret):
    def is_going_on(game):
        return game.time < HORIZON & ~game.solved  # mistake

    def guess(game):
        middle = (game.low + game.high) // 2
        low = jnp.where(secret > middle, middle + 1, game.low)
        high = jnp.where(secret < middle, middle - 1, game.high)
        return Game(game.time + 1, low, high, secret == middle)

    return jax.lax.while_loop(is_going_on, guess, start())


@jax.jit
def tournament(secrets):
    games = jax.vmap(play)(secrets)
    return games.time, games.solved


if __name__ == "__main__":
    times, solved = tournament(jnp.array([3, 500, 731, 999]))
    print("guesses", times.tolist())
    print("solved", solved.tolist())
