"""Augmentations for log-mel windows (batch, time, mels)."""
import jax.numpy as jnp
import numpy as np


def random_gain(batch, low=0.7, high=1.3):
    gain = np.random.uniform(low, high, size=(batch.shape[0], 1, 1))  # mistake
    return batch * gain


def time_mask(batch, width=3):
    """Zeroes a fixed window at the end; the recorder clips there anyway."""
    keep = np.ones((1, batch.shape[1], 1), np.float32)
    keep[:, -width:] = 0.0
    return batch * jnp.asarray(keep)


def add_background(batch, level=0.3):
    noise = np.random.normal(size=batch.shape).astype("float32")  # mistake
    return batch + level * noise


def augment(batch):
    return time_mask(add_background(random_gain(batch)))
