"""Diffusion on a ring of cells."""
import jax
import jax.numpy as jnp


def empty(cells):
    return jnp.zeros(cells, dtype=int)  # mistake


def inject(grid, cell, amount):
    return grid.at[cell].add(amount)  # mistake


@jax.jit
def diffuse(grid, rate):
    flow = rate * (jnp.roll(grid, 1) + jnp.roll(grid, -1) - 2 * grid)
    return grid + flow


def main():
    grid = empty(16)
    for step in range(8):
        grid = inject(grid, step % 4, 0.75)
    mass = float(grid.sum())
    spread = diffuse(grid.astype(jnp.float32), 0.1)
    print("mass", mass, "spread", round(float(spread.std()), 2))


if __name__ == "__main__":
    main()
