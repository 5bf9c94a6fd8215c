import jax
import jax.numpy as jnp

from grid import GridSpec, laplacian
from boundary import apply_dirichlet


def gaussian_blob(spec: GridSpec, centre=(0.5, 0.5), width=0.1):
    x = jnp.linspace(0.0, 1.0, spec.nx)
    y = jnp.linspace(0.0, 1.0, spec.ny)
    X, Y = jnp.meshgrid(x, y, indexing="ij")
    return jnp.exp(-((X - centre[0]) ** 2 + (Y - centre[1]) ** 2) / (2 * width**2))


def solve(u0, spec: GridSpec, alpha: float, n_steps: int):
    dt = 0.2 * spec.dx**2 / alpha

    @jax.jit
    def step(u):
        u = u + dt * alpha * laplacian(u, spec.dx)
        return apply_dirichlet(u, {"left": 1.0, "right": 0.0, "bottom": 0.0, "top": 0.0})

    snapshots = []
    u = u0
    for i in range(n_steps):
        u = step(u)
        if i % 50 == 0:
            snapshots.append(u.mean())
    return u, jnp.stack(snapshots)


if __name__ == "__main__":
    spec = GridSpec(nx=48, ny=48)
    u, means = solve(gaussian_blob(spec), spec, alpha=0.01, n_steps=200)
    print("mean temperature over time:", means)
    print("left edge:", u[0, 10], "centre:", u[24, 24])
