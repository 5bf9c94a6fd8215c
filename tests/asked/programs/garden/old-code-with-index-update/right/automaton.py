import jax.numpy as jnp
import numpy as np


def glider_world(height: int, width: int) -> np.ndarray:
    world = np.zeros((height, width), dtype=np.int32)
    world[1:4, 1:4] = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
    world[12, 10:13] = 1
    return world


def count_neighbours(world):
    total = jnp.zeros_like(world)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                total = total + jnp.roll(world, (dy, dx), axis=(0, 1))
    return total


def clear_border(world):
    for border in (np.s_[0, :], np.s_[-1, :], np.s_[:, 0], np.s_[:, -1]):
        world = world.at[border].set(0)
    return world


def step_world(world):
    n = count_neighbours(world)
    alive = (n == 3) | ((world == 1) & (n == 2))
    return clear_border(alive.astype(world.dtype))
