"""Energies of pairs of atoms."""
import jax
import jax.numpy as jnp

from potential import pair_energy


@jax.jit
def energies(distances):
    return jax.vmap(pair_energy)(distances)


def main():
    values = energies(jnp.linspace(0.95, 1.6, 14))
    print(values.shape, "zero far away:", float(values[-1]) == 0.0)


if __name__ == "__main__":
    main()
