"""A player that always moves under the ball."""
import jax
import jax.numpy as jnp

import catch
from state import initial


def main():
    state = initial(jax.random.key(5))
    for _ in range(15):
        state = catch.step(state, jnp.sign(state.ball - state.paddle))
    print("time", int(state.time), "score", int(state.score))


if __name__ == "__main__":
    main()
