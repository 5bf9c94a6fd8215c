"""Find the focus of a beam on a strip detector."""

import jax
import jax.numpy as jnp
from detector import PITCH, STRIPS, read_out


def beam(key, centre, count=500):
    k_position, k_energy = jax.random.split(key)
    positions = centre + 0.4 * jax.random.normal(k_position, (count,))
    energies = 10.0 + jax.random.normal(k_energy, (count,))
    return jnp.clip(positions, 0.0, STRIPS * PITCH - 1e-3), energies


def centroid(image):
    middles = (jnp.arange(STRIPS) + 0.5) * PITCH
    return jnp.sum(middles * image) / image.sum()


def main():
    for seed, centre in enumerate((1.2, 2.5)):
        positions, energies = beam(jax.random.key(seed), centre)
        image = read_out(positions, energies)
        print("strips", image.shape[0], "found", bool(abs(centroid(image) - centre) < 0.2))


if __name__ == "__main__":
    main()
