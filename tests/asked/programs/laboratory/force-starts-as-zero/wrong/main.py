"""Let charged beads on a wire repel each other until they are at rest."""

import jax
import jax.numpy as jnp
from jax import lax

SOFT = 0.05


def repulsion(here, there, charge):
    """The force of one bead on all others."""
    away = here - there
    distance = jnp.sqrt(jnp.sum(away**2, axis=-1, keepdims=True) + SOFT**2)
    return charge * away / distance**3


def forces(positions, charges):
    def add(i, total):
        return total + charges[:, None] * repulsion(positions, positions[i], charges[i])

    return lax.fori_loop(0, positions.shape[0], add, 0)  # mistake


def trap(positions):
    """A bowl that keeps the beads together."""
    return -positions


@jax.jit
def relax(positions, charges):
    def body(positions, _):
        total = forces(positions, charges) + trap(positions)
        return positions + 0.01 * total, jnp.max(jnp.abs(total))

    return lax.scan(body, positions, None, length=600)


def main():
    key = jax.random.key(12)
    positions = jax.random.normal(key, (7, 2))
    charges = jnp.ones(7)
    positions, largest = relax(positions, charges)
    radius = jnp.sqrt(jnp.sum(positions**2, axis=1))
    print("beads", positions.shape[0])
    print("at rest:", bool(largest[-1] < 0.1))
    print("one in the middle:", bool(jnp.min(radius) < 0.5 * jnp.max(radius)))


if __name__ == "__main__":
    main()
