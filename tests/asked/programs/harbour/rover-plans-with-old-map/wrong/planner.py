import jax
import jax.numpy as jnp

from terrain import cost_map

MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def shifted(values, move):
    padded = jnp.pad(values, 1, constant_values=1e6)
    rows, columns = values.shape
    return padded[1 + move[0] : 1 + move[0] + rows, 1 + move[1] : 1 + move[1] + columns]


@jax.jit
def plan(goal):
    def sweep(_, values):
        best = jnp.min(jnp.stack([shifted(values, move) for move in MOVES]), axis=0)
        return jnp.minimum(values, cost_map + best).at[goal[0], goal[1]].set(0.0)  # mistake

    start = jnp.full(cost_map.shape, 1e5).at[goal[0], goal[1]].set(0.0)
    return jax.lax.fori_loop(0, 120, sweep, start)


def best_move(values, position):
    options = []
    for move in MOVES:
        row, column = position[0] + move[0], position[1] + move[1]
        inside = 0 <= row < values.shape[0] and 0 <= column < values.shape[1]
        options.append((values[row, column] if inside else float("inf"), (row, column)))
    return min(options)[1]
