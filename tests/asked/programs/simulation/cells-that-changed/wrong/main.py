"""Measure how active the game is."""
import jax
import jax.numpy as jnp

from life import advance


@jax.jit
def play(cells):
    def step(cells, _):
        following = advance(cells)
        born = following - cells  # mistake
        return following, (born.sum(), following.sum())

    return jax.lax.scan(step, cells, length=8)


def glider(size):
    cells = jnp.zeros((size, size), bool)
    rows = jnp.array([0, 1, 2, 2, 2])
    columns = jnp.array([1, 2, 0, 1, 2])
    return cells.at[rows, columns].set(True)


if __name__ == "__main__":
    cells, (born, alive) = play(glider(8))
    print("alive", alive.tolist())
    print("born", born.tolist())
