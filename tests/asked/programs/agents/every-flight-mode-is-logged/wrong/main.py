"""Fly a drone and list the modes that it was in."""
import jax.numpy as jnp

import modes


def fly(steps):
    state = jnp.array([0.0, 0.0])
    for step in range(steps):
        state = modes.advance(state, step)
    return state


if __name__ == "__main__":
    state = fly(4)
    print("position", state.tolist())
    print("landed" if "land" in modes.journal else "still in the air")
    print(modes.journal[:2])
