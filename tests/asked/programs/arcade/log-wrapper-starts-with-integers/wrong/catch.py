"""A ball falls down; the paddle has to be below it at the end."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

ROWS, COLUMNS = 8, 7


class Game(NamedTuple):
    ball: jax.Array
    row: jax.Array
    paddle: jax.Array


class Catch:
    def observe(self, game):
        return jnp.stack([game.ball, game.row, game.paddle])

    def reset(self, key):
        ball = jax.random.randint(key, (), 0, COLUMNS)
        game = Game(ball, jnp.int32(0), jnp.int32(COLUMNS // 2))
        return game, self.observe(game)

    def step(self, key, game, action):
        paddle = jnp.clip(game.paddle + action, 0, COLUMNS - 1)
        game = Game(game.ball, game.row + 1, paddle)
        done = game.row == ROWS - 1
        reward = jnp.where(done & (paddle == game.ball), 1.0, 0.0)
        return game, self.observe(game), reward, done
