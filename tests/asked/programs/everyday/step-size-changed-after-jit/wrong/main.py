"""Refine the time step of an orbit near the end."""
import jax
import jax.numpy as jnp

from orbit import Orbit


def main():
    orbit = Orbit(dt=0.1)
    step = jax.jit(orbit.step)
    state = jnp.array([1.0, 0.0, 0.0, 1.0])
    travelled = []
    for dt in (0.1, 0.01):
        orbit.dt = dt
        after = step(state)  # mistake
        travelled.append(round(float(jnp.abs(after[1] - state[1])), 4))
    print(travelled)


if __name__ == "__main__":
    main()
