import jax.numpy as jnp

from lbm import density, equilibrium, momentum
from simulate import Simulation


def shear_wave(nx, ny, amplitude=0.05):
    y = jnp.arange(ny)
    ux = amplitude * jnp.sin(2.0 * jnp.pi * y / ny)
    u = jnp.stack([jnp.broadcast_to(ux, (nx, ny)), jnp.zeros((nx, ny))], axis=-1)
    return equilibrium(jnp.ones((nx, ny)), u)


def kinetic_energy(f):
    return 0.5 * jnp.sum(momentum(f) ** 2 / density(f)[..., None])


def main():
    f0 = shear_wave(64, 64)
    sim = Simulation(tau=0.8, log_every=40)
    energy_start = kinetic_energy(f0)
    f = sim.run(f0, n_steps=200)
    decay = kinetic_energy(f) / energy_start
    print("energy history", [round(e, 4) for e in sim.log])
    print("energy ratio", float(decay))
    print("total mass", round(float(density(f).sum()), 1))


if __name__ == "__main__":
    main()
