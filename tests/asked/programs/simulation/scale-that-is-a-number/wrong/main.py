"""Relax a chain of springs with one step size."""
import jax.numpy as jnp

from stepper import descend, energy


def relax(x, step_size, steps):
    for _ in range(steps):
        x = descend(x, step_size)
    return x


if __name__ == "__main__":
    start = jnp.ones(4)
    relaxed = relax(start, 0.2, 6)
    print("relaxed", [round(value, 3) for value in relaxed.tolist()])
    print("energy", bool(energy(relaxed) < energy(start)))
