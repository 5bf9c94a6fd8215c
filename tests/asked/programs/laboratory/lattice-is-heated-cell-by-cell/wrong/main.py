"""A laser walks over a plate and heats it, spot by spot."""

import jax
import jax.numpy as jnp

SIZE = 24
SPOT = 2


def walk(steps):
    """The cells that the laser visits."""
    turns = jnp.linspace(0.0, 4 * jnp.pi, steps)
    rows = SIZE / 2 + turns * jnp.sin(turns) * 0.6
    columns = SIZE / 2 + turns * jnp.cos(turns) * 0.6
    return [(int(r), int(c)) for r, c in zip(rows, columns)]


def spot_profile():
    offsets = jnp.arange(-SPOT, SPOT + 1)
    return jnp.exp(-0.5 * (offsets[:, None] ** 2 + offsets[None, :] ** 2))


@jax.jit
def diffuse(plate):
    north, south = jnp.roll(plate, 1, 0), jnp.roll(plate, -1, 0)
    west, east = jnp.roll(plate, 1, 1), jnp.roll(plate, -1, 1)
    return plate + 0.1 * (north + south + west + east - 4 * plate)


def heat(plate, cell, power, profile):
    row, column = cell
    for i in range(-SPOT, SPOT + 1):
        for j in range(-SPOT, SPOT + 1):
            r, c = (row + i) % SIZE, (column + j) % SIZE
            plate[r, c] += power * profile[i + SPOT, j + SPOT]  # mistake
    return plate


def main():
    plate = jnp.zeros((SIZE, SIZE))
    profile = spot_profile()
    path = walk(6)
    for cell in path:
        plate = heat(plate, cell, 5.0, profile)
        for _ in range(3):
            plate = diffuse(plate)
    expected = len(path) * 5.0 * float(profile.sum())
    print("hottest", bool(plate.max() > 1.0))
    print("heat kept", abs(float(plate.sum()) - expected) < 1e-2 * expected)


if __name__ == "__main__":
    main()
