import jax
import jax.numpy as jnp
import numpy as np

from solver import PoissonSolver

N, LENGTH, N_PART = 32, 1.0, 2000
solver = PoissonSolver(N, LENGTH)


def deposit(pos):
    cells = jnp.floor(pos / LENGTH * N).astype(jnp.int32) % N
    return jnp.zeros((N, N)).at[cells[:, 0], cells[:, 1]].add(N * N / N_PART)


@jax.jit
def kick_drift(pos, vel, dt):
    ax, ay = solver.acceleration(deposit(pos))
    cells = jnp.floor(pos / LENGTH * N).astype(jnp.int32) % N
    force = jnp.stack([ax[cells[:, 0], cells[:, 1]], ay[cells[:, 0], cells[:, 1]]], axis=1)
    vel = vel + dt * force
    return (pos + dt * vel) % LENGTH, vel


@jax.jit
def energies(pos, vel):
    rho = deposit(pos)
    kinetic = 0.5 * jnp.mean(jnp.sum(vel**2, axis=1))
    return kinetic, 0.5 * jnp.mean(rho * solver.potential(rho))


rng = np.random.default_rng(4)
pos = jnp.asarray((0.5 + 0.12 * rng.normal(size=(N_PART, 2))) % LENGTH, jnp.float32)
vel = jnp.zeros_like(pos)
for chunk in range(3):
    for _ in range(20):
        pos, vel = kick_drift(pos, vel, 0.05)
    kinetic, potential = energies(pos, vel)
    print(f"t={chunk + 1} kinetic {kinetic:.5f} potential {potential:.5f}")
