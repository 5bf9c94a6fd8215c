import jax
import jax.numpy as jnp
import numpy as np

from forces import potential
from integrator import State, integrate


def lattice(n_side, spacing):
    axis = jnp.arange(n_side) * spacing
    return jnp.stack(jnp.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def main():
    positions = lattice(4, 1.15)
    velocities = 0.3 * jax.random.normal(jax.random.key(2), positions.shape)
    start = State(positions, velocities, jnp.zeros(()))
    final, energies = integrate(potential, start, dt=2e-3, n_steps=500)
    drift = np.ptp(np.asarray(energies)) / abs(float(energies[0]))
    print("time", round(float(final.time), 3))
    print("energy", round(float(energies[0]), 3), "->", round(float(energies[-1]), 3))
    print("relative drift below one percent:", drift < 0.01)


if __name__ == "__main__":
    main()
