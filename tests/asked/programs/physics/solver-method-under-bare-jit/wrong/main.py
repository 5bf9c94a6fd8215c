"""Let a pulse run."""
import jax.numpy as jnp

from wave import WaveSolver


def main():
    solver = WaveSolver(cells=50, speed=1.0, dt=0.01)
    u = solver.run(20)
    print(u.shape, "bounded:", bool(jnp.max(jnp.abs(u)) < 1.5))


if __name__ == "__main__":
    main()
