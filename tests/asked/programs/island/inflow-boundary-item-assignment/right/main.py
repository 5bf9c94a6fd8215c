from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from advection import Grid, Scheme


@partial(jax.jit, static_argnames=("scheme", "num_steps"))
def simulate(scheme: Scheme, u0, num_steps: int):
    def body(carry, step):
        u = scheme.advance(carry, step * scheme.dt)
        return u, jnp.sum(u) * scheme.grid.dx

    return jax.lax.scan(body, u0, jnp.arange(num_steps))


def report(mass, every=50):
    for i, m in enumerate(np.asarray(mass)[::every]):
        print(f"step {i * every:4d} mass {m:.4f}")


if __name__ == "__main__":
    grid = Grid(num_cells=128, length=2.0)
    scheme = Scheme(grid, velocity=1.0, cfl=0.8)
    u0 = jnp.exp(-((grid.centers() - 0.5) ** 2) / 0.02)
    u, mass = simulate(scheme, u0, 200)
    report(mass)
    print("peak", round(float(u.max()), 3))
