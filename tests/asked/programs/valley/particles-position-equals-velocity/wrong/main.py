import jax
import jax.numpy as jnp

from initial import ParticleConfig, sample_particles
from swarm import kinetic_energy, simulate


def correlation(a, b):
    a = a.ravel() - a.mean()
    b = b.ravel() - b.mean()
    return jnp.sum(a * b) / jnp.sqrt(jnp.sum(a**2) * jnp.sum(b**2))


def main():
    cfg = ParticleConfig(num=200, spread=1.0, temperature=0.25)
    particles = sample_particles(jax.random.key(17), cfg)
    corr = correlation(particles.pos, particles.vel)
    print("correlation", float(jnp.round(corr, 2)))
    final, radius = jax.jit(simulate, static_argnames="steps")(particles, 0.02, steps=150)
    print("energy", float(jnp.round(kinetic_energy(final), 3)))
    print("radius", jnp.round(radius[::50], 3))


if __name__ == "__main__":
    main()
