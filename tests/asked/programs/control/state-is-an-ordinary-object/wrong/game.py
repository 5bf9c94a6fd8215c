"""A catching game."""
import jax.numpy as jnp

WIDTH = 7


class GameState:
    def __init__(self, ball, paddle, score):
        self.ball = ball
        self.paddle = paddle
        self.score = score

    @classmethod
    def new(cls):
        return cls(jnp.array([0, 3]), jnp.int32(2), jnp.int32(0))


def play(state, move):
    paddle = jnp.clip(state.paddle + move, 0, WIDTH - 1)
    ball = state.ball + jnp.array([1, 0])
    landed = ball[0] == 5
    score = state.score + jnp.where(landed & (ball[1] == paddle), 1, 0)
    return GameState(jnp.where(landed, jnp.array([0, 3]), ball), paddle, score)
