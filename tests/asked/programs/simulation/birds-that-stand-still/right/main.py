"""Let a flock relax; a third of the birds has just landed."""

import jax
import jax.numpy as jnp
from flock import energy

BIRDS = 9


def start(key):
    k_position, k_velocity = jax.random.split(key)
    positions = jax.random.uniform(k_position, (BIRDS, 2), maxval=3.0)
    velocities = jax.random.normal(k_velocity, (BIRDS, 2))
    return positions, velocities.at[::3].set(0.0)


@jax.jit
def relax(velocities, positions):
    return velocities - 0.1 * jax.grad(energy)(velocities, positions)


def main():
    positions, velocities = start(jax.random.key(15))
    before = energy(velocities, positions)
    for _ in range(20):
        velocities = relax(velocities, positions)
    after = energy(velocities, positions)
    print("birds", velocities.shape[0])
    print("all fly somewhere:", bool(jnp.isfinite(velocities).all()))
    print("energy falls:", bool(after < before))


if __name__ == "__main__":
    main()
