import jax
import jax.numpy as jnp


def rms(waves):
    return jnp.sqrt(jnp.mean(waves**2, axis=-1, keepdims=True) + 1e-8)


def add_noise(waves, rngs, level: float):
    noise = jax.random.normal(rngs.noise(), waves.shape)
    return waves + level * rms(waves) * noise
