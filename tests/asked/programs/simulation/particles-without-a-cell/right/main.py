"""Let particles drift out of a box and look at the density."""
import jax
import jax.numpy as jnp

from grid import deposit


@jax.jit
def drift(positions, speeds, masses):
    def step(positions, _):
        positions = positions + 0.05 * speeds
        return positions, deposit(positions, masses, 4)

    return jax.lax.scan(step, positions, length=10)


def main():
    positions = jnp.array([0.1, 0.3, 0.2, 0.05])
    speeds = jnp.array([-1.0, -1.0, 0.1, 0.0])
    positions, density = drift(positions, speeds, jnp.ones(4))
    print("inside", int(((positions >= 0.0) & (positions < 1.0)).sum()))
    print("density", density[-1].tolist())


if __name__ == "__main__":
    main()
