"""Relax a small argon cluster with steepest descent."""
import jax
import jax.numpy as jnp
import numpy as np

from potential import LJParams, total_energy


def cubic_lattice(side: int, spacing: float) -> np.ndarray:
    axis = np.arange(side) * spacing
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    return grid.reshape(-1, 3)


@jax.jit
def relax_step(positions, params, box, step_size):
    energy, gradient = jax.value_and_grad(total_energy)(positions, params, box)
    displacement = jnp.clip(-step_size * gradient, -0.05, 0.05)
    return positions + displacement, energy, jnp.max(jnp.abs(gradient))


def main():
    params = LJParams(epsilon=1.0, sigma=1.0, cutoff=2.5)
    box = jnp.array([6.0, 6.0, 6.0])
    positions = jnp.asarray(cubic_lattice(2, 1.2), dtype=jnp.float32)

    for iteration in range(40):
        positions, energy, max_force = relax_step(positions, params, box, 0.01)
        if iteration % 10 == 0:
            print(f"{iteration:3d}  E = {float(energy):.3f}  |F|max = {float(max_force):.3f}")
    print("centre of mass:", np.round(np.asarray(positions.mean(axis=0)), 2) + 0.0)


if __name__ == "__main__":
    main()
