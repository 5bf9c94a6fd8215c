"""Augmentations for log-mel windows (batch, time, mels)."""
import jax
import jax.numpy as jnp
import numpy as np


def random_gain(key, batch, low=0.7, high=1.3):
    gain = jax.random.uniform(key, (batch.shape[0], 1, 1), minval=low, maxval=high)
    return batch * gain


def time_mask(batch, width=3):
    """Zeroes a fixed window at the end; the recorder clips there anyway."""
    keep = np.ones((1, batch.shape[1], 1), np.float32)
    keep[:, -width:] = 0.0
    return batch * jnp.asarray(keep)


def add_background(key, batch, level=0.3):
    noise = jax.random.normal(key, batch.shape)
    return batch + level * noise


def augment(key, batch):
    gain_key, noise_key = jax.random.split(key)
    return time_mask(add_background(noise_key, random_gain(gain_key, batch)))
