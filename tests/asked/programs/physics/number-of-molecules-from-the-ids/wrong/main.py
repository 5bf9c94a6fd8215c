"""Energies per molecule."""
import jax
import jax.numpy as jnp
import numpy as np


def atom_energies(params, charges, positions):
    radius = jnp.sqrt(jnp.sum(positions**2, axis=-1) + 1e-6)
    return params["a"] * charges**2 / radius + params["b"] * charges


@jax.jit
def molecule_energies(params, charges, positions, molecule):
    energies = atom_energies(params, charges, positions)
    molecules = jnp.max(molecule) + 1
    return jax.ops.segment_sum(energies, molecule, num_segments=molecules)  # mistake


def main():
    rng = np.random.default_rng(0)
    molecule = np.repeat(np.arange(4), [3, 5, 2, 2])
    charges = rng.integers(1, 8, molecule.size).astype(np.float32)
    positions = rng.normal(size=(molecule.size, 3)).astype(np.float32)
    params = {"a": jnp.float32(0.5), "b": jnp.float32(-1.0)}
    energies = molecule_energies(params, charges, positions, molecule)
    print(energies.shape, bool(jnp.all(jnp.isfinite(energies))))


if __name__ == "__main__":
    main()
