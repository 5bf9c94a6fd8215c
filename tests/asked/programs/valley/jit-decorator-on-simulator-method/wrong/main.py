import jax.numpy as jnp
import numpy as np

from md import LennardJones, VerletIntegrator


def lattice(n_side: int, spacing: float):
    grid = np.stack(np.meshgrid(*[np.arange(n_side)] * 2, indexing="ij"), -1)
    return jnp.asarray(grid.reshape(-1, 2) * spacing, jnp.float32)


def main():
    pos = lattice(4, 1.2)
    rng = np.random.default_rng(0)
    vel = jnp.asarray(0.1 * rng.normal(size=pos.shape), jnp.float32)
    potential = LennardJones(epsilon=1.0, sigma=1.0)
    integrator = VerletIntegrator(potential, dt=0.004)
    kinetic = 0.5 * jnp.sum(vel**2)
    print("start", float(potential.energy(pos) + kinetic))
    for _ in range(5):
        pos, vel = integrator.run(pos, vel, 100)
    kinetic = 0.5 * jnp.sum(vel**2)
    print("end  ", float(potential.energy(pos) + kinetic))


if __name__ == "__main__":
    main()
