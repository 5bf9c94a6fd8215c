"""A bootstrap particle filter."""
import jax
import jax.numpy as jnp


def propagate(keys, particles):
    return 0.9 * particles + 0.5 * jax.random.normal(keys, particles.shape)  # mistake


def resample(key, particles, log_weights):
    rows = jax.random.categorical(key, log_weights, shape=(particles.shape[0],))
    return particles[rows]


@jax.jit
def step(key, particles, observation):
    k_resample, *k_particles = jax.random.split(key, particles.shape[0] + 1)
    particles = propagate(jnp.stack(k_particles), particles)
    log_weights = -0.5 * (observation - particles) ** 2 / 0.3**2
    return resample(k_resample, particles, log_weights), jnp.mean(particles)
