import jax.numpy as jnp
import numpy as np


def rms(waves):
    return jnp.sqrt(jnp.mean(waves**2, axis=-1, keepdims=True) + 1e-8)


def add_noise(waves, rngs, level: float):
    noise = np.random.normal(size=waves.shape).astype(np.float32)  # mistake
    return waves + level * rms(waves) * noise
