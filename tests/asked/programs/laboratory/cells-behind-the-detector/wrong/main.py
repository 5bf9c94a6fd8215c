"""Turn the counts of a calorimeter into energies."""

import jax
import jax.numpy as jnp

ROWS, COLUMNS = 6, 8


def calibrate(key):
    """The gain of each cell; those at the rim are weaker."""
    rim = jnp.minimum(jnp.arange(ROWS), ROWS - 1 - jnp.arange(ROWS))
    gain = 1.0 + 0.2 * rim[:, None] + 0.02 * jax.random.normal(key, (ROWS, COLUMNS))
    return gain.ravel()


def cell_of(row, column):
    return row * ROWS + column  # mistake


def cell_after(row, column):
    """The neighbour in the next row, which gets a tenth of the energy."""
    return cell_of(row + 1, column)  # mistake


@jax.jit
def energies(gain, hits):
    row, column, counts = hits
    here = counts / gain[cell_of(row, column)]
    next_row = 0.1 * counts / gain[cell_after(row, column)]  # mistake
    return here + next_row


def events(key, n=400):
    k_row, k_column, k_counts = jax.random.split(key, 3)
    row = jax.random.randint(k_row, (n,), 0, ROWS)
    column = jax.random.randint(k_column, (n,), 0, COLUMNS)
    return row, column, jax.random.poisson(k_counts, 500.0, (n,)).astype(jnp.float32)


def main():
    gain = calibrate(jax.random.key(0))
    hits = events(jax.random.key(1))
    energy = energies(gain, hits)
    last_row = hits[0] == ROWS - 1
    print("hits", energy.shape[0], "of which in the last row", int(jnp.sum(last_row)))
    print(f"mean energy there {float(jnp.mean(energy[last_row])):.0f}")


if __name__ == "__main__":
    main()
