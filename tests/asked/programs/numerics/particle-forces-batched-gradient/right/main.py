import jax
import jax.numpy as jnp

from langevin import LangevinSampler
from potentials import mueller_brown


def basin_occupancy(x):
    left = x[:, 0] < -0.3
    return jnp.mean(left), jnp.mean(~left)


def main():
    key = jax.random.key(42)
    key_init, key_run = jax.random.split(key)
    x0 = jnp.array([-0.55, 1.44]) + 0.05 * jax.random.normal(key_init, (128, 2))

    sampler = LangevinSampler(mueller_brown, temperature=15.0, dt=1e-4)
    x, energies = sampler.run(key_run, x0, n_steps=500)
    left, right = basin_occupancy(x)
    print("mean energy", energies[-1])
    print("occupancy left/right", left, right)


if __name__ == "__main__":
    main()
