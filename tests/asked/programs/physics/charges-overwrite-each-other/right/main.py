"""Move particles in their own field."""
import jax
import jax.numpy as jnp

import pic


def main():
    positions = jax.random.uniform(jax.random.key(0), (40,), maxval=pic.CELLS)
    velocities = jnp.zeros(40)
    for _ in range(3):
        positions, velocities, charge = pic.push(positions, velocities)
    print("total charge", float(charge))


if __name__ == "__main__":
    main()
