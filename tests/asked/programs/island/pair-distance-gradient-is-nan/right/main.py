import jax
import jax.numpy as jnp
import numpy as np

from integrator import VelocityVerlet
from potentials import MorsePotential


def cubic_lattice(per_side: int, spacing: float) -> np.ndarray:
    axis = spacing * np.arange(per_side)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    return grid.reshape(-1, 3).astype(np.float32)


def main():
    rng = np.random.default_rng(12)
    positions = cubic_lattice(3, 1.2)
    positions = jnp.asarray(positions + 0.05 * rng.normal(size=positions.shape), jnp.float32)
    velocities = jnp.asarray(0.1 * rng.normal(size=positions.shape), jnp.float32)
    potential = MorsePotential(depth=1.0, width=2.0, r0=1.2)
    integrator = VelocityVerlet(potential, dt=0.005)
    print("initial energy", round(float(potential(positions)), 3))
    (positions, velocities), energies = jax.jit(integrator.run, static_argnums=2)(positions, velocities, 200)
    print("total energy", np.round(np.asarray(energies[::50]), 3))
    print("drift", round(float(energies[-1] - energies[0]), 4))


if __name__ == "__main__":
    main()
