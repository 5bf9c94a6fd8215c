"""Temperatures of a rod."""
import jax
import jax.numpy as jnp

from solver import jacobi


def rod(n):
    return 2.5 * jnp.eye(n) - jnp.eye(n, k=1) - jnp.eye(n, k=-1)


def main():
    rhs = jnp.zeros(10).at[0].set(1.0).at[-1].set(3.0)
    x, count = jax.jit(jacobi)(rod(10), rhs)
    print("converged:", bool(jnp.allclose(rod(10) @ x, rhs, atol=1e-4)), int(count) < 500)


if __name__ == "__main__":
    main()
