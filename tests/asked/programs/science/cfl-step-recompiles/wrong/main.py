"""Burgers' equation with a time step chosen from the CFL condition."""
from functools import partial

import jax
import jax.numpy as jnp


def flux(u):
    return 0.5 * u**2


def lax_friedrichs(u, dt, dx):
    left, right = jnp.roll(u, 1), jnp.roll(u, -1)
    return 0.5 * (left + right) - 0.5 * dt / dx * (flux(right) - flux(left))


def upwind(u, dt, dx):
    return u - dt / dx * (flux(u) - flux(jnp.roll(u, 1)))


SCHEMES = {"lax_friedrichs": lax_friedrichs, "upwind": upwind}


@partial(jax.jit, static_argnames=("dt", "scheme"))  # mistake
def advance(u, dt, dx, scheme="upwind"):
    return SCHEMES[scheme](u, dt, dx)


def stable_step(u, dx, courant=0.8):
    return float(courant * dx / jnp.max(jnp.abs(u)))


def integrate(u, dx, t_end, scheme):
    t, steps = 0.0, 0
    while t < t_end:
        dt = min(stable_step(u, dx), t_end - t)
        u = advance(u, dt=dt, dx=dx, scheme=scheme)  # mistake
        t += dt
        steps += 1
    return u, steps


def main():
    n = 100
    dx = 1.0 / n
    x = (jnp.arange(n) + 0.5) * dx
    u0 = 1.5 + jnp.sin(2 * jnp.pi * x)
    for scheme in ("upwind", "lax_friedrichs"):
        u, steps = integrate(u0, dx, 0.025, scheme)
        print(f"{scheme}: {steps} steps, mean {float(u.mean()):.3f}, max {float(u.max()):.2f}")
    print("compiled programs:", advance._cache_size())


if __name__ == "__main__":
    main()
