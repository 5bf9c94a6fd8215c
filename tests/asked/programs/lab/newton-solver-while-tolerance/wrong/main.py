from functools import partial

import jax
import jax.numpy as jnp

from solver import newton


def laplacian(u, dx):
    padded = jnp.pad(u, 1)
    return (padded[2:] - 2 * u + padded[:-2]) / dx**2


def reaction(u):
    return u * (1.0 - u)


@partial(jax.jit, static_argnames=("dx", "dt"))
def implicit_step(u, dx, dt):
    def residual(u_next):
        rhs = 0.05 * laplacian(u_next, dx) + reaction(u_next)
        return u_next - u - dt * rhs

    return newton(residual, u)


def main():
    n = 48
    dx = 1.0 / (n + 1)
    xs = jnp.linspace(dx, 1.0 - dx, n)
    u = jnp.exp(-200 * (xs - 0.5) ** 2)
    counts = []
    for _ in range(30):
        u, iters = implicit_step(u, dx=dx, dt=0.02)
        counts.append(iters)
    print("mean u", round(float(u.mean()), 4))
    print("newton iterations", [int(c) for c in counts[:5]])


if __name__ == "__main__":
    main()
