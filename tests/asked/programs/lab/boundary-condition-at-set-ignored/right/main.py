from functools import partial

import jax
import jax.numpy as jnp

from boundary import Wall, apply_walls


def laplacian(u, dx):
    total = sum(jnp.roll(u, s, axis=a) for a in (0, 1) for s in (-1, 1))
    return (total - 4.0 * u) / dx**2


@partial(jax.jit, static_argnames=("wall", "n_steps"))
def propagate(u, wall, n_steps, c=1.0, dx=0.02, dt=0.01):
    def step(carry, _):
        u_prev, u = carry
        u_next = 2 * u - u_prev + (c * dt) ** 2 * laplacian(u, dx)
        u_next = apply_walls(u_next, wall)
        energy = ((u_next - u) ** 2).sum() / dt**2
        return (u, u_next), energy

    (_, u), energy = jax.lax.scan(step, (u, u), None, length=n_steps)
    return u, energy


def report(u0, wall):
    u, energy = propagate(u0, wall, n_steps=120)
    edge = jnp.abs(jnp.concatenate([u[0], u[-1], u[:, 0], u[:, -1]])).max()
    print(f"{wall.value}: edge amplitude {edge:.4f} energy {energy[-1]:.2f}")


def initial_pulse(n, x0=0.2, y0=0.5, width=0.05):
    grid = jnp.linspace(0.0, 1.0, n)
    x, y = jnp.meshgrid(grid, grid, indexing="ij")
    return jnp.exp(-((x - x0) ** 2 + (y - y0) ** 2) / width**2)


def main():
    u0 = initial_pulse(51)
    report(u0, Wall.DIRICHLET)
    report(u0, Wall.NEUMANN)


if __name__ == "__main__":
    main()
