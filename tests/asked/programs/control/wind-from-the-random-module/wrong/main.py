"""Sail with a proportional rudder."""
import jax
import jax.numpy as jnp
import numpy as np

from sailing import Boat

boat = Boat(1)


@jax.jit
def advance(position):
    return boat.step(position, -position[1])


def main():
    position = jnp.zeros(2)
    drift = []
    for step in range(20):
        moved = advance(position)
        drift.append(float(moved[1] - position[1] + 0.1 * position[1]))
        position = moved
    print("different gusts:", len({round(value, 3) for value in drift}) > 3, np.isfinite(drift[-1]))


if __name__ == "__main__":
    main()
