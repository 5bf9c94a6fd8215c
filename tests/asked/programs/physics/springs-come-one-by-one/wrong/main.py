"""Do all springs keep their energy?"""

import jax
import jax.numpy as jnp
from particle import Particle, energy, kick, period

PARTICLES = [
    Particle(1.0, 4.0, 0.5, 0.0),
    Particle(2.0, 1.0, -0.2, 1.0),
    Particle(0.5, 9.0, 0.0, 2.0),
    Particle(1.5, 2.5, 1.0, -1.0),
]


@jax.jit
def total_energy(particles):
    return jax.vmap(energy)(particles).sum()  # mistake


@jax.jit
def advance(particles):
    return jax.vmap(kick, in_axes=(0, None))(particles, 1e-3)  # mistake


def main():
    particles = PARTICLES
    before = total_energy(particles)  # mistake
    for _ in range(300):
        particles = advance(particles)
    after = total_energy(particles)
    print("energy kept", bool(jnp.abs(after - before) < 0.02 * before))
    print("longest period", round(float(jax.vmap(period)(particles).max()), 2))


if __name__ == "__main__":
    main()
