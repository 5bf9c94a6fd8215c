"""Track a slow signal."""
import jax
import jax.numpy as jnp

from particle_filter import step


def main():
    signal = jnp.sin(jnp.linspace(0.0, 3.0, 12))
    particles = jnp.zeros(30)
    for key, observation in zip(jax.random.split(jax.random.key(0), 12), signal):
        particles, _ = step(key, particles, observation)
    print("close", abs(float(particles.mean() - signal[-1])) < 0.5)


if __name__ == "__main__":
    main()
