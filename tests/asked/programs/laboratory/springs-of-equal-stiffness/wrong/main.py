"""Turn a crystal until its stiff axis points along the load."""

import jax
import jax.numpy as jnp

LOAD = jnp.array([0.0, 0.6, 0.8])
STIFFNESS = jnp.array([5.0, 1.0, 1.0])


def rotation(turn):
    """A rotation about the third axis and then about the first."""
    c, s = jnp.cos(turn[0]), jnp.sin(turn[0])
    first = jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    c, s = jnp.cos(turn[1]), jnp.sin(turn[1])
    second = jnp.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return second @ first


def tensor(turn):
    frame = rotation(turn)
    return frame @ jnp.diag(STIFFNESS) @ frame.T


def stiff_axis(matrix, steps=30):
    _, axes = jnp.linalg.eigh(matrix)  # mistake
    return axes[:, -1]


def misalignment(turn):
    return 1.0 - (stiff_axis(tensor(turn)) @ LOAD) ** 2


def main():
    turn = jnp.zeros(2)
    slope = jax.jit(jax.grad(misalignment))
    print("slope is finite:", bool(jnp.all(jnp.isfinite(slope(turn)))))
    turn = turn + jnp.array([0.3, 0.2])
    for _ in range(200):
        turn = turn - 0.2 * slope(turn)
    print("aligned:", bool(misalignment(turn) < 0.01))


if __name__ == "__main__":
    main()
