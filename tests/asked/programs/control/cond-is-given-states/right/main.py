"""Reset an elevator when it reaches the top."""
from typing import NamedTuple

import jax
import jax.numpy as jnp

FLOORS = 5


class Elevator(NamedTuple):
    floor: jax.Array
    waiting: jax.Array


def initial(key):
    return Elevator(jnp.int32(0), jax.random.bernoulli(key, 0.4, (FLOORS,)))


def move(elevator):
    waiting = elevator.waiting.at[elevator.floor].set(False)
    return Elevator(elevator.floor + 1, waiting)


@jax.jit
def run(key):
    def step(elevator, key):
        served = elevator.waiting[elevator.floor]
        moved = move(elevator)
        top = moved.floor == FLOORS
        elevator = jax.lax.cond(top, lambda: initial(key), lambda: moved)
        return elevator, served

    key, key_start = jax.random.split(key)
    return jax.lax.scan(step, initial(key_start), jax.random.split(key, 40))


def main():
    elevator, served = run(jax.random.key(2))
    print("floor", int(elevator.floor), "served some:", bool(served.sum() > 0))


if __name__ == "__main__":
    main()
