"""Compare how long the solver takes for two stiffness matrices."""
import jax.numpy as jnp

import solver


def stiffness(size, spring):
    return jnp.diag(2.0 + spring * jnp.arange(size)) - jnp.eye(size, k=1) - jnp.eye(size, k=-1)


def main():
    for spring in (0.0, 1.0):
        matrix = stiffness(8, spring)
        load = jnp.arange(1.0, 9.0)
        solver.iterations[0] = 0
        x = solver.solve(matrix, load)
        count = solver.iterations[0]
        print("iterations", int(count) > 2, "solved", bool(jnp.allclose(matrix @ x, load, atol=1e-2)))


if __name__ == "__main__":
    main()
