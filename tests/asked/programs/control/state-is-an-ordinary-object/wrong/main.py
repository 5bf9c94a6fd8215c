"""Play with a fixed rule."""
import jax
import jax.numpy as jnp

import game


@jax.jit
def turn(state):
    return game.play(state, jnp.sign(state.ball[1] - state.paddle))


def main():
    state = game.GameState.new()
    for _ in range(20):
        state = turn(state)  # mistake
    print("score", int(state.score), "paddle", int(state.paddle))


if __name__ == "__main__":
    main()
