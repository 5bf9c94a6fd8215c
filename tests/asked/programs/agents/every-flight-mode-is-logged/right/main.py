"""Fly a drone and list the modes that it was in."""
import jax.numpy as jnp

import modes

NAMES = ["climb", "cruise", "land"]


def fly(steps):
    state = jnp.array([0.0, 0.0])
    journal = []
    for step in range(steps):
        state, mode = modes.advance(state, step)
        journal.append(NAMES[int(mode)])
    return state, journal


if __name__ == "__main__":
    state, journal = fly(4)
    print("position", state.tolist())
    print("landed" if "land" in journal else "still in the air")
    print(journal[:2])
